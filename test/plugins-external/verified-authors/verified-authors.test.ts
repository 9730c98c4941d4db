import { testFilter } from 'feedloom/plugin/testing';
import plugin from './verified-authors';

testFilter(plugin, 'acme/verified_authors', {
  users: {
    ann: { metadata: { verified: true } },
    bob: { metadata: { verified: 'yes' } },
    vera: { follows: ['cat'] },
  },
  items: {
    'of-ann': { author_id: 'ann' },
    'of-bob': { author_id: 'bob' },
    'of-cat': { author_id: 'cat' },
    'of-nobody': {},
  },
  viewer: 'vera',
  cases: [
    { name: 'keeps verified authors', expect: ['of-ann'] },
    { name: 'keeps followed authors, too', options: { or_followed: true }, expect: ['of-ann', 'of-cat'] },
    {
      name: 'knows no followed authors without a viewer',
      viewer: undefined,
      options: { or_followed: true },
      expect: ['of-ann'],
    },
  ],
  refuses: [{ or_followed: 'yes' }, { followed: true }],
});
