import { expect, test } from 'bun:test';
import { seededRandom } from '../../../src/clock.ts';
import { forFile, START } from '../../support/service.ts';
import { FEED_TYPES, type Fields, openCommunity } from '../support.ts';

const NEWEST = { scoring: 'newest_v0.0.1' };
/** More than a page of a small community scores completely. */
const ITEMS = 4_500;
const community = await forFile(openCommunity({ settings: { exploration_percent: 20 } }));
const random = seededRandom(3);
const items = Array.from({ length: ITEMS }, (_, at) => ({
  item_id: `item-${at}`,
  author_id: `author-${at % 50}`,
  created_at: START - Math.floor(random() * 30 * 86_400 * 1000) / 1000,
  language: at % 3 === 0 ? 'en' : 'de',
  likes_count: Math.floor(random() * 1_000),
}));
await community.add('items', ...items);
for (let at = 0; at < 40; at++) await community.act('viewer', 'like', `item-${at}`);
await community.follow('viewer', 'author-7');
const newestFirst = (those: typeof items) =>
  those.toSorted((one, other) => other.created_at - one.created_at).map(({ item_id }) => item_id);
const unliked = items.slice(40);

for (const feed_type of FEED_TYPES) {
  test(`${feed_type} pages are exactly in the order of time, whatever the limit of candidates`, async () => {
    for (const candidate_limit of [undefined, 100]) {
      const shown: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < 4; page++) {
        const request = { ...NEWEST, user_id: 'viewer', top_k: 300, candidate_limit, cursor };
        const { body } = await community.ask(feed_type, request);
        for (const { item_id, score } of body.body) {
          expect(score).toBe(items[Number(item_id.slice(5))].created_at);
          shown.push(item_id);
        }
        cursor = body.cursor;
      }
      expect(shown).toEqual(newestFirst(unliked).slice(0, 1_200));
    }
  });

  test(`a ${feed_type} feed in the order of time needs no viewer, and takes filters and those who are followed`, async () => {
    const filters = { languages: ['en'] };
    const anyone = await community.ids(feed_type, { ...NEWEST, top_k: 100, filters });
    expect(anyone).toEqual(newestFirst(items.filter(({ language }) => language === 'en')).slice(0, 100));
    const following = { ...NEWEST, user_id: 'viewer', top_k: 100, filters: { author_ids: 'following' } };
    expect(await community.ids(feed_type, following)).toEqual(
      newestFirst(unliked.filter(({ author_id }) => author_id === 'author-7')),
    );
  });

  test(`a time decay of a ${feed_type} feed in the order of time changes nothing, and a warning says so`, async () => {
    const request = { ...NEWEST, user_id: 'viewer', top_k: 50 };
    const { body } = await community.ask(feed_type, { ...request, time_decay: 'high' });
    expect(body.body.map(({ item_id }: Fields) => item_id)).toEqual(await community.ids(feed_type, request));
    expect(body.warnings).toEqual([expect.stringContaining('time_decay has no effect with newest_v0.0.1')]);
  });
}

test('an item is first in the order of time as soon as it is acknowledged', async () => {
  await community.addItem('just now', { created_at: START + 1 });
  expect((await community.ids('for-you', { ...NEWEST, top_k: 2 }))[0]).toBe('just now');
  await community.remove('items', 'just now');
});
