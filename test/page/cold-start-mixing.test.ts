import { describe, expect, test } from 'bun:test';
import type { Fields } from '../http/support.ts';
import { forFile, START } from '../support/service.ts';
import { falling, ids, only, openMixing, promoting, TRENDING } from './mixing-support.ts';

const DAY = 86_400;

const mixing = await forFile(openMixing());
/** A for-you feed of channel `a` whose cold viewers get a popular feed of channel `b`. */
const config = { ...only('a'), cold_start_feed: '@b', top_k: 5 };
await mixing.save('@for_you', config, { endpoint: 'casts/feed/for-you' });

async function isCold(user_id: string, request: Fields = {}): Promise<boolean> {
  const { runs } = await mixing.answer({ user_id, feed_id: '@for_you', ...request }, 'for-you');
  expect(['cold_start:@b 5', 'main:@for_you 5']).toContain(runs);
  return runs === 'cold_start:@b 5';
}

const act = (user_id: string, event_type: string, at: number, fields: Fields = {}) =>
  mixing.community.act(user_id, event_type, `c-0${at}`, fields);

const ago = (days: number): Fields => ({ timestamp: START - days * DAY });
const COUNTED = ['like', 'comment', 'share', 'bookmark'];

describe('cold start', () => {
  // Acts on one item after the other. `like/90` is a like 90 days ago, and `~like` takes the like before it back.
  test.each<[string, string, boolean]>([
    ['applies to an unknown viewer', '', true],
    ...COUNTED.flatMap((event, at): [string, string, boolean][] => [
      [`applies after one ${event}`, event, true],
      [`does not apply after a ${event} and another act`, `${event} ${COUNTED[(at + 1) % 4]}`, false],
    ]),
    ['does not count views, hides and reports', 'view hide report view hide', true],
    ['applies again after interactions were undone', 'like like ~like', true],
    ['ends again after it applied again', 'like like ~like share', false],
    ['does not apply 30 days after the last interaction', 'like/90 like/30 view hide', false],
    ['applies more than 30 days after the last interaction', 'like/90 like/30.001 view hide', true],
    ['ends with the next interaction', 'like/90 like/30.001 share', false],
    ['does not depend on the order of arrival', 'like like/100 like/100 like/100', false],
  ])('%s', async (user_id, acts, expected) => {
    let at = -1;
    for (const word of acts.split(' ').filter(Boolean)) {
      const [, undo, event, days = 0] = /^(~?)(\w+)\/?(.*)$/.exec(word) ?? [];
      if (!undo) at++;
      await act(user_id, event, at, undo ? { action: 'remove' } : ago(Number(days)));
    }
    expect(await isCold(user_id)).toBe(expected);
  });

  test('does not count a profile, follows and own posts', async () => {
    await mixing.community.add('users', { user_id: 'newcomer', username: 'new' });
    await mixing.community.follow('newcomer', 'a-author');
    await mixing.community.addItem('written', { author_id: 'newcomer' });
    expect(await isCold('newcomer')).toBe(true);
  });

  test('applies to an unknown wallet address, and not to the address of a known user', async () => {
    const wallet_address = '0x00000000000000000000000000000000000000aa';
    const label = async () =>
      (await mixing.answer({ feed_id: '@for_you', wallet_address }, 'for-you')).labels[0];
    expect(await label()).toBe('cold_start:@b');
    await mixing.community.add('users', { user_id: 'owner', wallet_addresses: [wallet_address] });
    expect(await label()).toBe('cold_start:@b');
    for (const at of [0, 1]) await act('owner', 'like', at);
    expect(await label()).toBe('main:@for_you');
  });

  test("uses the feed's own conditions if it has any", async () => {
    await act('one-act', 'like', 0, ago(3));
    for (const [conditions, expected, user_id = 'one-act'] of [
      [{}, true],
      [{ min_interactions: 1 }, false],
      [{ min_interactions: null, inactive_days: null }, true],
      [{ min_interactions: 1, inactive_days: 3 }, false],
      [{ min_interactions: 1, inactive_days: 2 }, true],
      [{ min_interactions: 0 }, false],
      [{ min_interactions: 0 }, true, 'unknown'],
    ] as const) {
      const cold = await isCold(user_id, { cold_start: { feed_id: '@b', ...conditions } });
      expect([conditions, cold]).toEqual([conditions, expected]);
    }
  });

  test('uses the settings of the service otherwise', async () => {
    const settings = { cold_start_min_interactions: 1, cold_start_inactive_days: 2 };
    await using other = await openMixing({ settings });
    const label = async () => (await other.answer({ user_id: 'viewer', cold_start_feed: '@b' })).labels[0];
    expect(await label()).toBe('cold_start:@b');
    await other.community.act('viewer', 'like', 'c-00');
    expect(await label()).toBe('main:popular');
    other.community.server.clock.advance(2 * DAY + 1);
    expect(await label()).toBe('cold_start:@b');
  });

  test.each([
    [{ cold_start_feed: '@b' }, 'main:popular 25'],
    [{ user_id: 'stranger' }, 'main:popular 25'],
    [{ user_id: 'stranger', cold_start_feed: '@b' }, 'cold_start:@b 20'],
  ])('needs a viewer and a feed: %j', async (request, runs) => {
    expect((await mixing.answer(request)).runs).toBe(runs);
  });
});

test.each([{ cold_start_feed: '@b' }, { cold_start: { feed_id: '@b', min_interactions: 1 } }])(
  "the request's cold start feed replaces the saved one in either form: %j",
  async (saved) => {
    await mixing.save('@saved', { ...only('a'), ...saved, top_k: 5 });
    for (const [request, runs] of [
      [{}, 'cold_start:@b 5'],
      [{ cold_start: null, cold_start_feed: null }, 'cold_start:@b 5'],
      [{ cold_start_feed: '@c' }, 'cold_start:@c 5'],
      [{ cold_start: { feed_id: '@c' } }, 'cold_start:@c 5'],
      ...['', 'none', []].flatMap((off) => [
        [{ cold_start_feed: off }, 'main:@saved 5'] as const,
        [{ cold_start: off }, 'main:@saved 5'] as const,
      ]),
    ] as const) {
      const page = await mixing.answer({ feed_id: '@saved', user_id: 'stranger', ...request });
      expect([request, page.runs]).toEqual([request, runs]);
    }
  },
);

describe('a cold start feed', () => {
  test('is built completely: its filters, type, decay, diversity, promotion and fallbacks', async () => {
    const whole = {
      ...{ ...only('c'), time_decay: { half_life_hours: 0.01 }, ...falling('@a') },
      ...{ feed_diversity_config: { max_posts_per_author: 2 }, ...promoting({ percent: 20, feed_id: '@d' }) },
    };
    await mixing.save('@whole', whole, { endpoint: TRENDING });
    const request = { user_id: 'stranger', top_k: 10, seed: 3 };
    const alone = await mixing.answer({ ...request, feed_id: '@whole' }, 'trending');
    const page = await mixing.answer({ ...request, cold_start_feed: '@whole', ...only('b'), scoring: 'all' });
    expect(page.labels).toEqual(alone.labels.map((label) => label.replace('main:', 'cold_start:')));
    expect(page.scores).toEqual(alone.scores);
    expect(page.from('cold_start:@whole')).toHaveLength(2);
    for (const label of ['promotion:@d', 'fallback_main_1:@a']) expect(page.labels).toContain(label);
  });

  test('takes only the viewer, the length and the visibility switches from the request', async () => {
    const request = {
      ...{ ...only('c'), scoring: 'all', time_decay: 'high', return_global_fallback: true, top_k: 22 },
      ...{ feed_diversity_config: { max_posts_per_author: 1 }, ...promoting({ percent: 100, filters: {} }) },
    };
    const page = await mixing.answer({ user_id: 'stranger', cold_start_feed: '@b', ...request });
    expect([page.ids, page.runs]).toEqual([ids('b', 20), 'cold_start:@b 20']);
    expect(page.items.every(({ score, adjusted_score }) => score === adjusted_score)).toBe(true);
  });

  const SHOW = { show_interacted_items: true };
  const [HIDE, OWN, PROOF] = [
    { show_interacted_items: false },
    { remove_user_posts_from_feed: true },
    { return_only_posts_with_social_proof: true },
  ];
  const OFF = { remove_user_posts_from_feed: false, return_only_posts_with_social_proof: false };
  /** The switches of the cold start feed, of the feed that it replaces, and of the request, and what is shown first. */
  test.each<[string, string, Fields, Fields, Fields, string[]]>([
    ['uses the switches of neither', 'half-cold', {}, {}, {}, ['b-01']],
    ['uses those of the feed that it replaces', 'half-cold', {}, SHOW, {}, ['b-00']],
    ['uses those of the request', 'half-cold', {}, {}, SHOW, ['b-00']],
    ['uses those of the request before those of the feed', 'half-cold', {}, SHOW, HIDE, ['b-01']],
    ['drops own posts if the feed does', 'b-author', {}, OWN, {}, []],
    ['drops items without proof if the feed does', 'half-cold', {}, PROOF, {}, []],
    ['cannot show interacted items on its own', 'half-cold', { ...SHOW, ...OWN }, {}, {}, ['b-01']],
    ['can drop own posts', 'b-author', { ...SHOW, ...OWN }, {}, {}, []],
    ['keeps its own restrictions if the request switches them off', 'b-author', OWN, {}, OFF, []],
    ['keeps its own restrictions if the feed switches them off', 'b-author', OWN, OFF, {}, []],
    ['keeps its need of proof if the request switches it off', 'x', PROOF, {}, OFF, []],
  ])('%s', async (_sentence, user_id, own, feed, request, shown) => {
    await mixing.community.act('half-cold', 'like', 'b-00');
    await mixing.save('@cold', { ...only('b'), ...own });
    const saved = { ...only('a'), cold_start_feed: '@cold', top_k: 1, ...feed };
    expect((await mixing.answerOf(saved, { user_id, ...request })).ids).toEqual(shown);
  });

  test('has no cold start feed itself', async () => {
    await mixing.save('@chained', { ...only('c'), cold_start_feed: '@b', top_k: 3 });
    const asked = (request: Fields) => mixing.answer({ user_id: 'stranger', ...request });
    expect((await asked({ cold_start_feed: '@chained' })).runs).toBe('cold_start:@chained 10');
    expect((await asked({ feed_id: '@chained' })).runs).toBe('cold_start:@b 3');
  });

  test('has no effect if it is the feed itself', async () => {
    const itself = await mixing.save('@itself', only('c'));
    await mixing.account.set(itself, { config: { ...only('c'), cold_start_feed: itself } });
    expect((await mixing.answer({ user_id: 'stranger', feed_id: '@itself' })).runs).toBe('main:@itself 10');
  });

  test('records impressions like any other feed', async () => {
    const request = { user_id: 'cold-reader', cold_start_feed: '@b', top_k: 3, impression_count: 2 };
    expect((await mixing.answer(request)).ids).toEqual(ids('b', 3));
    expect((await mixing.answer(request)).ids).toEqual(ids('b', 5, 2));
    const main = await mixing.answer({ user_id: 'cold-reader', ...only('b'), top_k: 1 });
    expect(main.ids).toEqual(['b-04']);
  });
});
