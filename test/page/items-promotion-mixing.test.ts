import { describe, expect, test } from 'bun:test';
import type { Fields } from '../http/support.ts';
import { forFile, START } from '../support/service.ts';
import { type Answer, only, openMixing, picking, upTo } from './mixing-support.ts';

const mixing = await forFile(openMixing());
const { community } = mixing;
await community.add('items', { item_id: 'c-00', author_id: 'writer' });
await community.addItem('moderated', { hidden: true });
await community.addItem('early', { created_at: START + 3600 });
await community.addItem('deleted');
await community.remove('items', 'deleted');
await community.act('fan', 'like', 'never-described');

/** Hand-picked items: `c-01@4` has the rank 4. */
const picked = (text: string): Fields[] =>
  text.split(' ').map((each) => {
    const [item_id, rank] = each.split('@');
    return rank === undefined ? { item_id } : { item_id, rank: Number(rank) };
  });

/** A page of channel `a` with hand-picked items. */
const page = (items: string, request: Fields = {}): Promise<Answer> =>
  mixing.answer({ top_k: 5, ...only('a'), ...picking(...picked(items)), ...request });

test.each<[string, string, Fields, string]>([
  ['with ranks are placed at their slots', 'c-01@4 b-19@1', {}, 'b-19 a-00 a-01 c-01 a-02'],
  [
    'without ranks are spread evenly, in their order',
    'b-09 b-03',
    { top_k: 8 },
    'a-00 a-01 b-09 a-02 a-03 b-03 a-04 a-05',
  ],
  [
    'that are unknown are left out before the others are spread',
    'moderated b-09 early b-03',
    { top_k: 8 },
    'a-00 a-01 b-09 a-02 a-03 b-03 a-04 a-05',
  ],
  ['with a rank beyond the page are left out', 'b-00@6', {}, 'a-00 a-01 a-02 a-03 a-04'],
  ['replace themselves in the main list', 'a-03@1', {}, 'a-03 a-00 a-01 a-02 a-04'],
  ['that are listed twice are shown once', 'b-00 b-00@2', {}, 'a-00 a-01 b-00 a-02 a-03'],
  ['can fill a page without a main list', 'b-00 b-01', only('nowhere'), 'b-00 b-01'],
  [
    'are not subject to the filters of the feed',
    'b-05 b-06',
    { filters: { channels: ['a'], engagement: { min_likes_count: 499 } } },
    'a-00 b-05 b-06 a-01',
  ],
  [
    'are not subject to social proof',
    'b-05 b-06',
    { user_id: 'viewer', return_only_posts_with_social_proof: true },
    'b-05 b-06',
  ],
  [
    'are not subject to diversity',
    'b-05 b-06',
    { feed_diversity_config: { max_posts_per_author: 1 } },
    'b-05 a-00 b-06',
  ],
])('hand-picked items %s', async (_sentence, items, request, expected) => {
  for (const seed of upTo(3)) {
    const shown = await page(items, { seed, ...request });
    expect(shown.ids.join(' ')).toBe(expected);
    const names = picked(items).map(({ item_id }) => item_id);
    for (const { item_id, source_feed, promotion_name } of shown.items) {
      const own = names.includes(item_id) ? ['promotion:picks', 'picks'] : ['main:popular', undefined];
      expect([item_id, source_feed, promotion_name]).toEqual([item_id, ...own]);
    }
  }
});

describe('hand-picked items', () => {
  test('do not change the page if the list is empty', async () => {
    expect((await mixing.answer({ top_k: 5, ...only('a'), ...picking() })).runs).toBe('main:popular 5');
  });

  test('have the scores of the feed, before and after its time decay', async () => {
    const request = { time_decay: { half_life_hours: 0.001 } };
    const of_item = ({ items }: Answer) => items.filter(({ item_id }) => item_id === 'b-07');
    const [[plain], [shown]] = [
      of_item(await mixing.answer({ ...request, top_k: 100 })),
      of_item(await page('b-07', request)),
    ];
    expect([shown.score, shown.adjusted_score]).toEqual([plain.score, plain.adjusted_score]);
  });

  test('that are unknown are named in one warning each', async () => {
    const unknown = ['unknown-1', 'unknown-2', 'deleted', 'never-described'];
    const shown = await page(['b-00', ...unknown].join(' '));
    expect(shown.from('promotion:picks')).toEqual(['b-00']);
    expect(shown.warnings).toEqual(unknown.map((id) => expect.stringContaining(`'${id}'`)));
  });

  test('that are unknown are counted if there are too many to list', async () => {
    const { runs, warnings } = await page(
      upTo(150)
        .map((at) => `unknown-${at}`)
        .join(' '),
    );
    expect([runs, warnings.length]).toEqual(['main:popular 5', 101]);
    expect(warnings[100]).toContain('50 more');
  });
});

describe('hand-picked items are dropped if the viewer', () => {
  const SHOW = { show_interacted_items: true };
  test.each<[string, Fields]>([
    ['view', {}],
    ['like', {}],
    ['hide', SHOW],
    ['report', SHOW],
  ])('did %s them', async (event, request) => {
    const user_id = `who did ${event}`;
    await community.act(user_id, event, 'c-00');
    const shown = await page('c-00 c-01', { user_id, ...request });
    expect([shown.from('promotion:picks'), shown.warnings, shown.ids.length]).toEqual([['c-01'], [], 5]);
    if (event !== 'like') return;
    const again = await page('c-00 c-01', { user_id, ...SHOW });
    expect(again.from('promotion:picks')).toEqual(['c-00', 'c-01']);
  });

  test('was shown them, is in a block with their author, or wrote them and own posts are removed', async () => {
    const seen = { user_id: 'reader', top_k: 1, impression_count: 1 };
    expect((await page('c-00', seen)).ids).toEqual(['c-00']);
    await community.block('blocker', 'writer');
    expect((await page('c-00 c-01', { user_id: 'writer' })).from('promotion:picks')).toHaveLength(2);
    for (const user_id of ['reader', 'blocker', 'writer']) {
      const shown = await page('c-00 c-01', { user_id, remove_user_posts_from_feed: user_id === 'writer' });
      expect([user_id, shown.from('promotion:picks'), shown.ids.length]).toEqual([user_id, ['c-01'], 5]);
    }
  });
});

test('a saved promotion of items applies to every request, with its given name', async () => {
  const promoted_items = picked('b-00@1 unknown');
  const promotion = { promotion_type: 'items', promotion_name: 'House ads', promoted_items };
  const page = await mixing.answerOf({ ...only('a'), promotion_filters: [promotion], top_k: 3 });
  expect([page.runs, page.warnings.length]).toEqual(['promotion:House ads 1, main:@it 2', 1]);
});
