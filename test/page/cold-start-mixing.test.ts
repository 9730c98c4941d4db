import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Fields } from '../http/support.ts';
import { START } from '../support/service.ts';
import { type Answer, ids, type Mixing, only, openMixing, POPULAR, TRENDING } from './mixing-support.ts';

const DAY = 86_400;

let mixing: Mixing;
/** A for-you feed of channel `a` whose cold viewers get a popular feed of channel `b`. */
let feed_id: string;
let cold: string;
beforeAll(async () => {
  mixing = await openMixing();
  cold = await mixing.feedOf('b');
  feed_id = await mixing.account.add({ config: { ...only('a'), cold_start_feed: cold, top_k: 5 } });
});
afterAll(() => mixing[Symbol.asyncDispose]());

const build = (user_id: string, request: Fields = {}): Promise<Answer> =>
  mixing.answer({ user_id, feed_id, ...request }, 'for-you');

async function isCold(user_id: string, request: Fields = {}): Promise<boolean> {
  const { labels } = await build(user_id, request);
  expect(labels).toHaveLength(5);
  expect(new Set(labels).size).toBe(1);
  expect([`cold_start:${cold}`, `main:${feed_id}`]).toContain(labels[0]);
  return labels[0] === `cold_start:${cold}`;
}

const act = (user_id: string, event_type: string, at: number, fields: Fields = {}) =>
  mixing.community.act(user_id, event_type, `c-0${at}`, fields);

describe('cold start', () => {
  test('applies to an unknown viewer', async () => {
    expect(await isCold('stranger')).toBe(true);
    await mixing.community.add('users', { user_id: 'newcomer', username: 'new' });
    expect(await isCold('newcomer')).toBe(true);
  });

  test('applies below two likes, comments, shares and bookmarks, and not from two on', async () => {
    const events = ['like', 'comment', 'share', 'bookmark'];
    for (const [at, event] of events.entries()) {
      const user_id = `counted-${event}`;
      await act(user_id, event, 0);
      expect([event, await isCold(user_id)]).toEqual([event, true]);
      await act(user_id, events[(at + 1) % 4], 1);
      expect([event, await isCold(user_id)]).toEqual([event, false]);
    }
  });

  test('does not count views, hides, reports, follows and own posts', async () => {
    for (const [at, event] of ['view', 'hide', 'report', 'view', 'hide'].entries())
      await act('lurker', event, at);
    await mixing.community.follow('lurker', 'a-author');
    await mixing.community.addItem('written', { author_id: 'lurker' });
    expect(await isCold('lurker')).toBe(true);
  });

  test('applies again after interactions were undone', async () => {
    await act('fickle', 'like', 0);
    await act('fickle', 'like', 1);
    expect(await isCold('fickle')).toBe(false);
    await act('fickle', 'like', 1, { action: 'remove' });
    expect(await isCold('fickle')).toBe(true);
    await act('fickle', 'share', 2);
    expect(await isCold('fickle')).toBe(false);
  });

  test('applies if the last interaction is more than 30 days ago', async () => {
    for (const [user_id, timestamp] of [
      ['just-active', START - 30 * DAY],
      ['inactive', START - 30 * DAY - 1],
    ] as const) {
      await act(user_id, 'like', 0, { timestamp: START - 90 * DAY });
      await act(user_id, 'like', 1, { timestamp });
      await act(user_id, 'view', 2);
      await act(user_id, 'hide', 3);
    }
    expect(await isCold('just-active')).toBe(false);
    expect(await isCold('inactive')).toBe(true);
    await act('inactive', 'share', 4);
    expect(await isCold('inactive')).toBe(false);
  });

  test('does not depend on the order of arrival', async () => {
    await act('late-news', 'like', 0);
    for (const at of [1, 2, 3]) await act('late-news', 'like', at, { timestamp: START - 100 * DAY });
    expect(await isCold('late-news')).toBe(false);
  });

  test('applies to an unknown wallet address, and not to the address of a known user', async () => {
    const wallet_address = '0x00000000000000000000000000000000000000aa';
    const asked = { feed_id, wallet_address };
    expect((await mixing.answer(asked, 'for-you')).labels[0]).toBe(`cold_start:${cold}`);
    await mixing.community.add('users', { user_id: 'owner', wallet_addresses: [wallet_address] });
    expect((await mixing.answer(asked, 'for-you')).labels[0]).toBe(`cold_start:${cold}`);
    await act('owner', 'like', 0);
    await act('owner', 'like', 1);
    expect((await mixing.answer(asked, 'for-you')).labels[0]).toBe(`main:${feed_id}`);
  });

  test("uses the feed's own conditions if it has any", async () => {
    await act('one-act', 'like', 0, { timestamp: START - 3 * DAY });
    const by = (fields: Fields) => isCold('one-act', { cold_start: { feed_id: cold, ...fields } });
    expect(await by({})).toBe(true);
    expect(await by({ min_interactions: 1 })).toBe(false);
    expect(await by({ min_interactions: null, inactive_days: null })).toBe(true);
    expect(await by({ min_interactions: 1, inactive_days: 3 })).toBe(false);
    expect(await by({ min_interactions: 1, inactive_days: 2 })).toBe(true);
    expect(await by({ min_interactions: 0 })).toBe(false);
    const unknown = await build('unknown', { cold_start: { feed_id: cold, min_interactions: 0 } });
    expect(unknown.labels[0]).toBe(`cold_start:${cold}`);
  });

  test('uses the settings of the service otherwise', async () => {
    const settings = { cold_start_min_interactions: 1, cold_start_inactive_days: 2 };
    await using other = await openMixing({ settings });
    const cold_start_feed = await other.feedOf('b');
    const label = async () => (await other.answer({ user_id: 'viewer', cold_start_feed })).labels[0];
    expect(await label()).toBe(`cold_start:${cold_start_feed}`);
    await other.community.act('viewer', 'like', 'c-00');
    expect(await label()).toBe('main:popular');
    other.community.server.clock.advance(2 * DAY + 1);
    expect(await label()).toBe(`cold_start:${cold_start_feed}`);
  });
});

test('cold start does not apply without a viewer or without a cold start feed', async () => {
  expect((await mixing.answer({ cold_start_feed: cold })).labels[0]).toBe('main:popular');
  expect((await mixing.answer({ user_id: 'stranger' })).labels[0]).toBe('main:popular');
  expect((await mixing.answer({ user_id: 'stranger', cold_start_feed: cold })).labels[0]).toBe(
    `cold_start:${cold}`,
  );
});

test("the request's cold start feed replaces the saved one in either form", async () => {
  const other = await mixing.feedOf('c');
  const string_form = { cold_start_feed: cold };
  const object_form = { cold_start: { feed_id: cold, min_interactions: 1 } };
  for (const saved of [string_form, object_form]) {
    const id = await mixing.feedOf('a', { ...saved, top_k: 5 });
    const runs = async (request: Fields) =>
      (await mixing.answer({ feed_id: id, user_id: 'stranger', ...request })).runs;
    expect(await runs({})).toBe(`cold_start:${cold} 5`);
    expect(await runs({ cold_start: null, cold_start_feed: null })).toBe(`cold_start:${cold} 5`);
    expect(await runs({ cold_start_feed: other })).toBe(`cold_start:${other} 5`);
    expect(await runs({ cold_start: { feed_id: other } })).toBe(`cold_start:${other} 5`);
    for (const off of ['', 'none', []]) {
      expect(await runs({ cold_start_feed: off })).toBe(`main:${id} 5`);
      expect(await runs({ cold_start: off })).toBe(`main:${id} 5`);
    }
  }
});

describe('a cold start feed', () => {
  beforeAll(() => mixing.community.act('half-cold', 'like', 'b-00'));

  test('is built completely: its filters, type, decay, diversity, promotion and fallbacks', async () => {
    const promoted = await mixing.feedOf('d');
    const fallback = await mixing.feedOf('a');
    const config = {
      ...only('c'),
      time_decay: { half_life_hours: 0.01 },
      feed_diversity_config: { max_posts_per_author: 2 },
      fallback_feeds: [{ feed_id: fallback }],
      promotion_filters: [{ promotion_type: 'feed', promotion_name: 'ad', percent: 20, feed_id: promoted }],
    };
    const whole = await mixing.account.add({ endpoint: TRENDING, config });
    const request = { user_id: 'stranger', top_k: 10, seed: 3 };
    const alone = await mixing.answer({ ...request, feed_id: whole }, 'trending');
    const page = await mixing.answer({ ...request, cold_start_feed: whole, ...only('b'), scoring: 'all' });
    expect(page.labels).toEqual(alone.labels.map((label) => label.replace('main:', 'cold_start:')));
    expect(page.ids).toEqual(alone.ids);
    expect(page.items.map(({ score, adjusted_score }) => [score, adjusted_score])).toEqual(
      alone.items.map(({ score, adjusted_score }) => [score, adjusted_score]),
    );
    expect(page.from(`cold_start:${whole}`)).toHaveLength(2);
    expect(page.from(`promotion:${promoted}`).length).toBeGreaterThan(0);
    expect(page.from(`fallback_main_1:${fallback}`).length).toBeGreaterThan(0);
  });

  test('takes only the viewer, the length and the visibility switches from the request', async () => {
    const request = {
      ...only('c'),
      scoring: 'all',
      time_decay: 'high',
      feed_diversity_config: { max_posts_per_author: 1 },
      promotion_filters: [{ promotion_type: 'feed', promotion_name: 'ad', percent: 100, filters: {} }],
      return_global_fallback: true,
      top_k: 22,
    };
    const page = await mixing.answer({ user_id: 'stranger', cold_start_feed: cold, ...request });
    expect([page.ids, page.runs]).toEqual([ids('b', 20), `cold_start:${cold} 20`]);
    expect(page.items.every(({ score, adjusted_score }) => score === adjusted_score)).toBe(true);
  });

  test('uses the visibility switches of the request and of the feed that it replaces', async () => {
    const shown = async (config: Fields, request: Fields = {}) => {
      const id = await mixing.feedOf('a', { cold_start_feed: cold, top_k: 1, ...config });
      return (await mixing.answer({ feed_id: id, user_id: 'half-cold', ...request })).ids[0];
    };
    expect(await shown({})).toBe('b-01');
    expect(await shown({ show_interacted_items: true })).toBe('b-00');
    expect(await shown({}, { show_interacted_items: true })).toBe('b-00');
    expect(await shown({ show_interacted_items: true }, { show_interacted_items: false })).toBe('b-01');
    expect(await shown({ remove_user_posts_from_feed: true }, { user_id: 'b-author' })).toBeUndefined();
    expect(await shown({ return_only_posts_with_social_proof: true })).toBeUndefined();
  });

  test('cannot show interacted items on its own, and can drop own posts', async () => {
    const config = { show_interacted_items: true, remove_user_posts_from_feed: true };
    const own = await mixing.feedOf('b', config);
    const page = (user_id: string) => mixing.answer({ user_id, cold_start_feed: own, top_k: 1 });
    expect((await page('half-cold')).ids).toEqual(['b-01']);
    expect((await page('b-author')).ids).toEqual([]);
  });

  test('keeps its own restrictions even if the replaced feed switches them off', async () => {
    const own = await mixing.feedOf('b', { remove_user_posts_from_feed: true });
    const off = { remove_user_posts_from_feed: false, return_only_posts_with_social_proof: false };
    const request = { user_id: 'b-author', cold_start_feed: own, top_k: 1 };
    expect((await mixing.answer({ ...request, ...off })).ids).toEqual([]);
    const main = await mixing.feedOf('a', { cold_start_feed: own, top_k: 1, ...off });
    expect((await mixing.answer({ user_id: 'b-author', feed_id: main })).ids).toEqual([]);
    const strict = await mixing.feedOf('b', { return_only_posts_with_social_proof: true });
    expect((await mixing.answer({ ...request, user_id: 'x', cold_start_feed: strict, ...off })).ids).toEqual(
      [],
    );
  });

  test('has no cold start feed itself', async () => {
    const chained = await mixing.feedOf('c', { cold_start_feed: cold, top_k: 3 });
    const page = await mixing.answer({ user_id: 'stranger', cold_start_feed: chained });
    expect(page.runs).toBe(`cold_start:${chained} 10`);
    const direct = await mixing.answer({ user_id: 'stranger', feed_id: chained });
    expect(direct.runs).toBe(`cold_start:${cold} 3`);
  });

  test('has no effect if it is the feed itself', async () => {
    const itself = await mixing.feedOf('c');
    await mixing.account.set(itself, { config: { ...only('c'), cold_start_feed: itself } });
    expect((await mixing.answer({ user_id: 'stranger', feed_id: itself })).runs).toBe(`main:${itself} 10`);
  });

  test('records impressions like any other feed', async () => {
    const request = { user_id: 'cold-reader', cold_start_feed: cold, top_k: 3, impression_count: 2 };
    expect((await mixing.answer(request)).ids).toEqual(ids('b', 3));
    expect((await mixing.answer(request)).ids).toEqual(ids('b', 5, 2));
    const main = await mixing.answer({ user_id: 'cold-reader', ...only('b'), top_k: 1 });
    expect(main.ids).toEqual(['b-04']);
  });
});

describe('a cold start feed that cannot be built', () => {
  test('is a 404 if the request names it, for cold and other viewers', async () => {
    const inactive = await mixing.feedOf('b', {}, { status: 'inactive' });
    await act('regular', 'like', 0);
    await act('regular', 'like', 1);
    for (const id of ['feed_999', inactive]) {
      for (const request of [{ cold_start_feed: id }, { cold_start: { feed_id: id } }]) {
        for (const user_id of ['stranger', 'regular']) {
          const { status, body } = await mixing.community.ask('popular', { user_id, ...request });
          expect([status, body.code]).toEqual([404, 'not_found']);
        }
      }
    }
  });

  test('is skipped with a warning if it was saved', async () => {
    const gone = await mixing.feedOf('b');
    const id = await mixing.account.add({ endpoint: POPULAR, config: { cold_start_feed: gone, top_k: 2 } });
    await mixing.account.remove(gone);
    const page = await mixing.answer({ feed_id: id, user_id: 'stranger' });
    expect(page.runs).toBe(`main:${id} 2`);
    expect(page.warnings).toHaveLength(1);
    expect(page.warnings[0]).toContain(gone);
  });
});
