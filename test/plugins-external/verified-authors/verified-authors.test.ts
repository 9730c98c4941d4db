import { testFilter } from 'feedloom/plugin/testing';
import plugin from './verified-authors';

const world = {
  users: [
    { user_id: 'ann', metadata: { verified: true } },
    { user_id: 'bob', metadata: { verified: 'yes' } },
    { user_id: 'vera', follows: ['cat'] },
  ],
  items: [
    { item_id: 'of-ann', author_id: 'ann' },
    { item_id: 'of-bob', author_id: 'bob' },
    { item_id: 'of-cat', author_id: 'cat' },
    { item_id: 'of-nobody' },
  ],
};

testFilter(plugin, 'acme/verified_authors', {
  cases: [
    { name: 'keeps verified authors', ...world, viewer: 'vera', keeps: ['of-ann'] },
    {
      name: 'keeps followed authors, too',
      ...world,
      viewer: 'vera',
      options: { or_followed: true },
      keeps: ['of-ann', 'of-cat'],
    },
    {
      name: 'knows no followed authors without a viewer',
      ...world,
      options: { or_followed: true },
      keeps: ['of-ann'],
    },
  ],
  refuses: [{ or_followed: 'yes' }, { followed: true }],
});
