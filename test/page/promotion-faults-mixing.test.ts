import { describe, expect, test } from 'bun:test';
import { expectRefused } from '../http/config-support.ts';
import { type Fields, KEY } from '../http/support.ts';
import { forFile } from '../support/service.ts';
import { type Answer, ids, only, openMixing, PLUGIN, upTo } from './mixing-support.ts';

const mixing = await forFile(openMixing({ settings: { plugins: PLUGIN } }));

const NAMED = { promotion_type: 'feed', promotion_name: 'ad' };
const feed = (fields: Fields): Fields => ({ ...NAMED, percent: 20, filters: {}, ...fields });
const items = (...promoted_items: unknown[]): Fields => ({
  ...NAMED,
  promotion_type: 'items',
  promoted_items,
});

/** Values of `promotion_filters`, each with the path of its fault. */
const FAULTS: [unknown, string][] = [
  [5, ''],
  ['feed', ''],
  [{ promotion_type: 'feed' }, ''],
  [[5], '/0'],
  [[null], '/0'],
  [[feed({}), feed({})], ''],
  [[{}], '/0/promotion_type'],
  [[feed({ promotion_type: undefined })], '/0/promotion_type'],
  [[feed({ promotion_type: null })], '/0/promotion_type'],
  [[feed({ promotion_type: '' })], '/0/promotion_type'],
  [[feed({ promotion_type: 'Feed' })], '/0/promotion_type'],
  [[feed({ promotion_type: 'acme/none_v1.0.0' })], '/0/promotion_type'],
  [[feed({ promotion_name: undefined })], '/0/promotion_name'],
  [[feed({ promotion_name: '' })], '/0/promotion_name'],
  [[feed({ promotion_name: 5 })], '/0/promotion_name'],
  [[feed({ percent: undefined })], '/0/percent'],
  [[feed({ percent: null })], '/0/percent'],
  [[feed({ percent: -1 })], '/0/percent'],
  [[feed({ percent: 101 })], '/0/percent'],
  [[feed({ percent: 12.5 })], '/0/percent'],
  [[feed({ percent: '20' })], '/0/percent'],
  [[feed({ filters: undefined })], '/0/feed_id'],
  [[feed({ filters: null })], '/0/feed_id'],
  [[feed({ feed_id: 5 })], '/0/feed_id'],
  [[feed({ filters: [] })], '/0/filters'],
  [[feed({ filters: { chanels: ['a'] } })], '/0/filters/chanels'],
  [[feed({ filters: { channels: 'a' } })], '/0/filters/channels'],
  [[feed({ more: 1 })], '/0/more'],
  [[items()].map(({ promoted_items: _, ...rest }) => rest), '/0/promoted_items'],
  [[items('b-00')], '/0/promoted_items/0'],
  [[items({})], '/0/promoted_items/0/item_id'],
  [[items({ item_id: '' })], '/0/promoted_items/0/item_id'],
  [[items({ item_id: 'b-00', rank: 0 })], '/0/promoted_items/0/rank'],
  [[items({ item_id: 'b-00', rank: 1.5 })], '/0/promoted_items/0/rank'],
  [[items({ item_id: 'b-00', rank: '1' })], '/0/promoted_items/0/rank'],
  [[items({ item_id: 'b-00', slot: 1 })], '/0/promoted_items/0/slot'],
  [[items({ item_id: 'b-00', rank: 2 }, { item_id: 'b-01', rank: 2 })], '/0/promoted_items/1/rank'],
  [[items(...upTo(1001).map((at) => ({ item_id: `x-${at}` })))], '/0/promoted_items'],
  [[{ ...items({ item_id: 'b-00' }), options: { count: 1 } }], '/0/options/count'],
  [[feed({ promotion_type: 'acme/first_v1.0.0', options: { count: 0 } })], '/0/options/count'],
  [[feed({ promotion_type: 'acme/first_v1.0.0', options: { more: 1 } })], '/0/options/more'],
  [[feed({ promotion_type: 'acme/share_v1.0.0', percent: 5 })], '/0/percent'],
  [[feed({ promotion_type: 'acme/share_v1.0.0', percent: null })], '/0/options/percent'],
];

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 110);

describe('a promotion is rejected, naming the fault, for', () => {
  for (const [promotion_filters, path] of FAULTS) {
    test(shown(promotion_filters), async () => {
      const request = { user_id: 'viewer', impression_count: 5, promotion_filters };
      const seq = mixing.community.seq;
      const asked = await mixing.community.ask('popular', request);
      const saved = await mixing.account.create({ name: 'x', config: { promotion_filters } });
      for (const [answer, place] of [
        [asked, '/promotion_filters'],
        [saved, '/config/promotion_filters'],
      ] as const) {
        expectRefused(answer, 400, 'invalid_value');
        expect(answer.body.errors.map((error: Fields) => error.path)).toContain(`${place}${path}`);
      }
      expect(mixing.community.seq).toBe(seq);
    });
  }
});

describe('null counts as not given', () => {
  test('within a promotion', async () => {
    const nothing = { feed_id: null, options: null, promoted_items: null };
    const ad_hoc = feed({ ...nothing, percent: 100, filters: { channels: ['c'], languages: null } });
    const page = await mixing.answer({ top_k: 5, promotion_filters: [ad_hoc] });
    expect(page.runs).toBe('promotion:ad 5');
    const pinned = items({ item_id: 'b-07', rank: null });
    const picked = await mixing.answer({ top_k: 1, promotion_filters: [{ ...pinned, percent: null }] });
    expect(picked.ids).toEqual(['b-07']);
  });

  test('for promoted items beside a feed, like an empty list', async () => {
    for (const promoted_items of [null, []]) {
      const promotion = feed({ percent: 100, filters: { channels: ['c'] }, promoted_items });
      const page = await mixing.answer({ top_k: 5, promotion_filters: [promotion] });
      expect(page.runs).toBe('promotion:ad 5');
    }
  });
});

describe("a plugin's strategy", () => {
  const strategy = (promotion_type: string, fields: Fields = {}): Fields => ({
    promotion_type: `acme/${promotion_type}_v1.0.0`,
    promotion_name: 'ad',
    feed_id: '@b',
    ...fields,
  });
  const ask = (promotion: Fields) =>
    mixing.answer({ top_k: 5, ...only('a'), promotion_filters: [promotion] });

  const UNUSED = 'a promotion of type acme/first_v1.0.0 does not use';
  const PICKED = { promoted_items: [{ item_id: 'd-04' }] };
  test.each<[string, string, Fields, string, ...string[]]>([
    ['is named by its id', 'first', {}, 'promotion:@b 1, main:popular 4'],
    ['accepts options', 'first', { options: { count: 2 } }, 'promotion:@b 2, main:popular 3'],
    [
      'accepts filters instead of a feed',
      'first',
      { feed_id: null, filters: { channels: ['c'] } },
      'promotion:ad 1, main:popular 4',
    ],
    [
      'accepts items instead of a feed',
      'first',
      { feed_id: null, ...PICKED },
      'promotion:ad 1, main:popular 4',
    ],
    ['gets percent if its options have it', 'share', { percent: 40 }, 'promotion:@b 2, main:popular 3'],
    [
      'may have more than half of a page',
      'share',
      { percent: 60 },
      'promotion:@b 3, main:popular 2',
      'a promotion of 60 percent is more than the advised 50',
    ],
    ['has the default of its percent', 'pair', {}, 'promotion:@b 4, main:popular 1'],
    [
      'gets percent among other options',
      'pair',
      { percent: 40, options: { number: 2 } },
      'promotion:@b 2, main:popular 3',
    ],
    [
      'causes a warning about an unused percent',
      'first',
      { percent: 60 },
      'promotion:@b 1, main:popular 4',
      `${UNUSED} percent: its options have no percent`,
    ],
    ['ignores an empty list of items', 'first', { promoted_items: [] }, 'promotion:@b 1, main:popular 4'],
    [
      'causes warnings about what it does not use beside items',
      'first',
      { ...PICKED, filters: {} },
      'promotion:ad 1, main:popular 4',
      `${UNUSED} feed_id: it shows promoted_items`,
      `${UNUSED} filters: it shows promoted_items`,
    ],
  ])('%s', async (_sentence, name, fields, runs, ...warnings) => {
    const page: Answer = await ask(strategy(name, fields));
    expect([page.runs, page.warnings]).toEqual([runs, warnings]);
    const other = 'promoted_items' in fields ? 'd-04' : 'c-00';
    const item_id = runs.startsWith('promotion:@b') ? 'b-00' : other;
    expect(page.items[0]).toMatchObject({ item_id, promotion_name: 'ad' });
  });

  test('can be saved in a feed', async () => {
    const promotion_filters = [strategy('first', { options: { count: 3 } })];
    const page = await mixing.answerOf({ ...only('a'), promotion_filters, top_k: 5 });
    expect(page.runs).toBe('promotion:@b 3, main:@it 2');
  });

  test('that breaks the rules fails the request, and only the log names it and the reason', async () => {
    for (const [name, cause] of [
      ['throws', 'the cause within the plugin'],
      ['twice', 'two slots hold the same item'],
      ['much', 'slots for a page of 5'],
      ['nothing', '0 slots for a page of 5, and items of the main list are left'],
      ['holes', 'slot 2 holds undefined; a slot is { item, promoted }'],
      ['alike', 'it gives [object Object], which is not a list of slots'],
    ]) {
      const seq = mixing.community.seq;
      const request = { user_id: 'viewer', top_k: 5, impression_count: 5 };
      const answer = await mixing.ask({ ...request, promotion_filters: [strategy(name)] });
      expect([name, answer.status, answer.body.code]).toEqual([name, 500, 'plugin_failed']);
      expect(JSON.stringify(answer.body)).not.toContain('acme');
      const logged = mixing.community.server.log.at(-1) ?? '';
      expect(logged).toContain(`acme/${name}_v1.0.0`);
      expect(logged).toContain(cause);
      expect(mixing.community.seq).toBe(seq);
    }
    expect((await mixing.answer({ user_id: 'viewer', top_k: 5, ...only('a') })).ids).toEqual(ids('a', 5));
  });

  test('is listed among the plugins', async () => {
    const { body } = await mixing.community.server.call('GET', '/api/plugins', undefined, KEY);
    const strategies = body.data.filter(({ kind }: Fields) => kind === 'promotion_strategies');
    expect(strategies.map(({ id, source }: Fields) => `${id} ${source}`)).toEqual([
      'feed built-in',
      'items built-in',
      ...['first', 'share', 'pair', 'holes', 'alike', 'throws', 'twice', 'much', 'nothing'].map(
        (name) => `acme/${name}_v1.0.0 external`,
      ),
    ]);
  });
});
