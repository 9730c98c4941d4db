import { describe, expect, test } from 'bun:test';
import { BUILT_IN } from '../../../plugins/index.ts';
import { testsWith } from '../../support/fixture.ts';
import { type Community, type Fields, openCommunity } from '../support.ts';

const it = testsWith(openTastes);

/** The effect of an act on the next page of the viewer. */

const SCORING = Object.entries(BUILT_IN.scoring_functions)
  .filter(([, { feeds }]) => feeds?.includes('for-you'))
  .map(([id]) => id);
const TASTES = ['music', 'chess'];
const AUTHORS = 4;
const PER_TASTE = 20;

/** Two tastes with five fans each, who liked most of their items within the last hours. */
async function openTastes(settings: Fields = {}): Promise<Community> {
  const community = await openCommunity({ settings });
  const items = TASTES.flatMap((taste) =>
    Array.from({ length: PER_TASTE }, (_, index) => ({
      item_id: `${taste} ${index}`,
      author_id: `${taste} author ${index % AUTHORS}`,
      channel: `${taste} ${index % AUTHORS < 2 ? 'early' : 'late'}`,
      created_at: community.now - index,
    })),
  );
  await community.add('items', ...items);
  for (let hour = 0; hour < 4; hour++) {
    community.server.clock.advance(3600);
    const acts = TASTES.flatMap((taste, side) =>
      Array.from({ length: 5 * 4 }, (_, each) => ({
        user_id: `${taste} fan ${each % 5}`,
        item_id: `${taste} ${(hour * 5 + each * 3 + side) % PER_TASTE}`,
        event_type: 'like',
      })),
    );
    await community.add('interactions', ...acts);
  }
  return community;
}

/** Everything that the viewer can be shown, best first. */
function page(community: Community, request: Fields = {}): Promise<string[]> {
  return community.ids('for-you', { user_id: 'viewer', top_k: 100, ...request });
}

/** The mean place of items that begin like this. */
function place(ids: readonly string[], wanted: (id: string) => boolean): number {
  const places = [...ids.entries()].filter(([, id]) => wanted(id)).map(([at]) => at);
  return places.reduce((sum, at) => sum + at, 0) / places.length;
}

function byAuthor(taste: string, author: number): (id: string) => boolean {
  return (id) => id.startsWith(taste) && Number(id.split(' ')[1]) % AUTHORS === author;
}

describe('the next page', () => {
  it('after one like the next page of that viewer alone puts that taste first', async (community) => {
    const before = await page(community);
    const others = await page(community, { user_id: 'somebody' });
    await community.act('viewer', 'like', 'chess 3');
    const after = await page(community);
    expect(after).not.toContain('chess 3');
    expect(after.toSorted()).toEqual(before.filter((id) => id !== 'chess 3').toSorted());
    const chess = (id: string) => id.startsWith('chess');
    expect(place(after, chess)).toBeLessThan(place(before, chess) / 1.4);
    expect(after.slice(0, 10).every(chess)).toBe(true);
    // To others it is an item with one more like.
    const rest = (ids: readonly string[]) => ids.filter((id) => id !== 'chess 3');
    expect(rest(await page(community, { user_id: 'somebody' }))).toEqual(rest(others));
  });

  it('after one like of another taste the next page has both, the later one first', async (community) => {
    await community.act('viewer', 'like', 'chess 3');
    community.server.clock.advance(1);
    await community.act('viewer', 'like', 'music 4');
    const [first] = await page(community);
    expect(first).toStartWith('music');
    const top = (await page(community)).slice(0, 20);
    for (const taste of TASTES) expect(top.filter((id) => id.startsWith(taste)).length).toBeGreaterThan(4);
  });

  it('after a like that was taken back the next page is as before', async (community) => {
    const before = await page(community);
    await community.act('viewer', 'like', 'chess 3');
    expect(await page(community)).not.toEqual(before);
    await community.act('viewer', 'like', 'chess 3', { action: 'remove', timestamp: community.now + 1 });
    expect(await page(community)).toEqual(before);
  });

  test.each(SCORING)(
    'after a hide the next page lacks the item, and %s lowers its author and channel',
    async (scoring) => {
      await using community = await openTastes();
      await community.act('viewer', 'like', 'chess 3');
      await community.follow('viewer', 'chess fan 1');
      await community.follow('viewer', 'music fan 1');
      const before = await page(community, { scoring });
      for (const item_id of ['chess 1', 'chess 5']) await community.act('viewer', 'hide', item_id);
      const after = await page(community, { scoring });
      expect(after.toSorted()).toEqual(
        before.filter((id) => id !== 'chess 1' && id !== 'chess 5').toSorted(),
      );
      for (const wanted of [byAuthor('chess', 1), byAuthor('chess', 0)]) {
        const still = (id: string) => wanted(id) && after.includes(id);
        expect(place(after, still)).toBeGreaterThan(place(before, still) + 1);
      }
      // No item of the other channels was hidden.
      const music = after.filter((id) => id.startsWith('music'));
      expect(music).toEqual(before.filter((id) => id.startsWith('music')));
    },
  );

  test('the next page is the same for the same seed and state, and shows no item again', async () => {
    await using community = await openTastes({ exploration_percent: 10 });
    await community.act('viewer', 'like', 'chess 3');
    const request = { seed: 7, top_k: 15 };
    const first = await page(community, request);
    expect(await page(community, request)).toEqual(first);
    const shown = await page(community, { ...request, impression_count: 15 });
    expect(shown).toEqual(first);
    const next = await page(community, request);
    expect(next.filter((id) => first.includes(id))).toEqual([]);
    expect(next).toHaveLength(15);
  });
});
