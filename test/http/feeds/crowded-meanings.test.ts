import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../../src/clock.ts';
import { type Community, type Fields, openCommunity } from '../support.ts';

/** For-you pages by meaning while one author posts many items near the one that the viewer liked. */

const SPAM = 60;
const BY_MEANING = { name: 'weighted_v0.0.1', options: { weights: { semantic_interest: 1 } } };

/** A vector of 16 numbers near the first axis. Vectors with less noise are nearer to each other. */
function about(noise: number, random: () => number): number[] {
  return [1, ...Array.from({ length: 15 }, () => noise * (random() - 0.5))];
}

/** Ten items near the one that the viewer liked, which came after or before the spam. */
async function crowded(
  noise: number,
  order: 'spam first' | 'spam last',
  seconds_ahead = 0,
): Promise<Community> {
  const community = await openCommunity();
  const random = seededRandom(3);
  const created_at = community.now;
  const spam = Array.from({ length: SPAM }, (_, at) => ({
    ...{ item_id: `spam ${at}`, author_id: 'spammer', created_at: created_at + seconds_ahead },
    embedding: about(noise, random),
  }));
  const wanted = Array.from({ length: 10 }, (_, at) => ({
    ...{ item_id: `wanted ${at}`, author_id: `author ${at}`, created_at },
    embedding: about(1, random),
  }));
  await community.addItem('liked', { embedding: about(0, random) });
  await community.act('viewer', 'like', 'liked');
  for (const items of order === 'spam first' ? [spam, wanted] : [wanted, spam]) {
    await community.add('items', ...items);
    // A page indexes what came, as an idle service does.
    await found(community);
  }
  return community;
}

/** The items that the viewer is led to by their meaning. */
async function found(community: Community): Promise<string[]> {
  const page = await community.page('for-you', {
    ...{ user_id: 'viewer', top_k: 500, scoring: BY_MEANING, impression_count: 0 },
    feed_diversity_config: {},
  });
  return page.filter(({ score }) => score > 0).map(({ item_id }) => item_id);
}

const wantedOf = (ids: readonly string[]) => ids.filter((id) => id.startsWith('wanted'));

describe('items near a liked one', () => {
  for (const order of ['spam first', 'spam last'] as const) {
    const when = order === 'spam first' ? 'came before' : 'came after';
    test.each([
      ['themselves', 'items'],
      ['with their author', 'users'],
    ])(`are found if many nearer ones that ${when} are hidden, %s`, async (_, kind) => {
      await using community = await crowded(0.5, order);
      const hidden: Fields[] =
        kind === 'users'
          ? [{ user_id: 'spammer', hidden: true }]
          : Array.from({ length: SPAM }, (_, at) => ({ item_id: `spam ${at}`, hidden: true }));
      await community.add(kind as 'items' | 'users', ...hidden);
      const ids = await found(community);
      expect(wantedOf(ids)).toHaveLength(10);
      expect(ids).toHaveLength(10);
    });

    test(`are found if many nearer ones that ${when} are deleted`, async () => {
      await using community = await crowded(0.5, order);
      for (let at = 0; at < SPAM; at++) await community.remove('items', `spam ${at}`);
      expect(wantedOf(await found(community))).toHaveLength(10);
    });

    test(`are found if many nearer ones that ${when} are dated ahead, and these when their time has come`, async () => {
      await using community = await crowded(0.5, order, 86_400);
      expect(await found(community)).toHaveLength(10);
      community.server.clock.advance(86_400);
      await community.add('users', { user_id: 'passer-by' });
      expect((await found(community)).length).toBeGreaterThan(20);
    });

    test(`are found beside many visible copies of it that ${when}, of which a few are found too`, async () => {
      await using community = await crowded(0, order);
      const ids = await found(community);
      expect(wantedOf(ids)).toHaveLength(10);
      expect(ids.length).toBeGreaterThan(10);
      expect(ids.length).toBeLessThan(20);
    });
  }

  test('are found from a copy of it, and the newest copies with them', async () => {
    await using community = await crowded(0, 'spam first');
    await community.act('other', 'like', 'spam 30');
    const page = await community.page('for-you', {
      ...{ user_id: 'other', top_k: 500, scoring: BY_MEANING, impression_count: 0 },
      feed_diversity_config: {},
    });
    const ids = page.filter(({ score }) => score > 0).map(({ item_id }) => item_id);
    expect(wantedOf(ids)).toHaveLength(10);
    expect(ids).toContain(`spam ${SPAM - 1}`);
  });

  test('are found when their creation time is put right', async () => {
    await using community = await crowded(0.5, 'spam last', 86_400);
    await community.add('items', { item_id: 'spam 0', created_at: community.now });
    expect(await found(community)).toContain('spam 0');
    await community.add('items', { item_id: 'spam 0', created_at: community.now + 86_400 });
    expect(await found(community)).toHaveLength(10);
  });

  test('are found again when they are shown again', async () => {
    await using community = await crowded(0.5, 'spam last');
    const before = (await found(community)).toSorted();
    await community.add('users', { user_id: 'spammer', hidden: true });
    await found(community);
    await community.add('users', { user_id: 'spammer', hidden: false });
    expect((await found(community)).filter((id) => id.startsWith('spam')).length).toBeGreaterThan(20);
    expect(before.filter((id) => id.startsWith('spam')).length).toBeGreaterThan(20);
  });
});
