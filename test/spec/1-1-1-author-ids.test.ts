import { expect, test } from 'bun:test';
import type { Fields } from '../http/support.ts';
import { forFile } from '../support/service.ts';
import { FEED_TYPES, openService } from './support.ts';

const service = await forFile(openService());
for (const author_id of ['12', '34', '56']) await service.community.addItem(`by ${author_id}`, { author_id });
await service.community.follow('viewer', '12');
await service.community.follow('other', '34');

/** The items that a filter keeps, the same on every feed type. */
async function kept(filters: Fields, user_id = 'viewer'): Promise<string[]> {
  const sets = await Promise.all(FEED_TYPES.map((feed_type) => service.set(feed_type, { user_id, filters })));
  expect([sets[1], sets[2]]).toEqual([sets[0], sets[0]]);
  return sets[0];
}

test('1.1.1 a list of specific author IDs', async () => {
  expect(await kept({ author_ids: ['12', 56] })).toEqual(['by 12', 'by 56']);
  expect(await kept({ remove_author_ids: ['12', '56'] })).toEqual(['by 34']);
});

test('1.1.1 following: authors followed by the viewing user_id', async () => {
  expect(await kept({ author_ids: 'following' })).toEqual(['by 12']);
  expect(await kept({ author_ids: ['following'] }, 'other')).toEqual(['by 34']);
  expect(await kept({ remove_author_ids: 'following' })).toEqual(['by 34', 'by 56']);
});

test('1.1.1 the following list of one specific user', async () => {
  expect(await kept({ author_ids: 'following:other' })).toEqual(['by 34']);
  expect(await kept({ author_ids: ['following:viewer'] }, 'other')).toEqual(['by 12']);
  expect(await kept({ remove_author_ids: ['following:other'] })).toEqual(['by 12', 'by 56']);
});

test('1.1.1 a follow and an unfollow count at the next request', async () => {
  await service.community.follow('fickle', '56');
  expect(await kept({ author_ids: 'following' }, 'fickle')).toEqual(['by 56']);
  await service.community.follow('fickle', '56', { action: 'unfollow' });
  expect(await kept({ author_ids: 'following' }, 'fickle')).toEqual([]);
});

test('1.1.1 only one form at a time is supported', async () => {
  for (const key of ['author_ids', 'remove_author_ids']) {
    for (const mixed of [
      ['12', 'following'],
      ['following', 'following:other'],
      ['12', 'following:other'],
    ]) {
      const { status, body } = await service.community.ask('popular', { filters: { [key]: mixed } });
      expect([status, body.errors[0].path]).toEqual([400, `/filters/${key}`]);
    }
  }
});

test('1.1.1 the inclusion and the exclusion filter each have a form of their own', async () => {
  const filters = { author_ids: ['12', '34'], remove_author_ids: 'following' };
  expect(await kept(filters)).toEqual(['by 34']);
});
