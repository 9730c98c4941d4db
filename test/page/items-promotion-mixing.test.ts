import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Fields } from '../http/support.ts';
import { START } from '../support/service.ts';
import { type Answer, ids, type Mixing, only, openMixing, upTo } from './mixing-support.ts';

let mixing: Mixing;
beforeAll(async () => {
  mixing = await openMixing();
  await mixing.community.add('items', { item_id: 'c-00', author_id: 'writer' });
  await mixing.community.addItem('moderated', { hidden: true });
  await mixing.community.addItem('early', { created_at: START + 3600 });
  await mixing.community.addItem('deleted');
  await mixing.community.remove('items', 'deleted');
  await mixing.community.act('fan', 'like', 'never-described');
});
afterAll(() => mixing[Symbol.asyncDispose]());

const picked = (...item_ids: string[]): Fields[] => item_ids.map((item_id) => ({ item_id }));

function promoting(promoted_items: Fields[], request: Fields = {}): Promise<Answer> {
  const promotion = { promotion_type: 'items', promotion_name: 'picks', promoted_items };
  return mixing.answer({ top_k: 5, ...only('a'), promotion_filters: [promotion], ...request });
}

describe('hand-picked items', () => {
  test('with ranks are placed at their slots, labelled with the promotion', async () => {
    const page = await promoting([
      { item_id: 'c-01', rank: 4 },
      { item_id: 'b-19', rank: 1 },
    ]);
    expect(page.ids).toEqual(['b-19', 'a-00', 'a-01', 'c-01', 'a-02']);
    const labels = page.items.map(({ source_feed, promotion_name }) => [source_feed, promotion_name]);
    const [own, ad] = [
      ['main:popular', undefined],
      ['promotion:picks', 'picks'],
    ];
    expect(labels).toEqual([ad, own, own, ad, own]);
    expect(page.warnings).toEqual([]);
  });

  test('without ranks are spread evenly, in their order', async () => {
    const page = await promoting(picked('b-09', 'b-03'), { top_k: 8 });
    expect(page.ids).toEqual(['a-00', 'a-01', 'b-09', 'a-02', 'a-03', 'b-03', 'a-04', 'a-05']);
  });

  test('are the same at every request, without randomness', async () => {
    const promoted = [...picked('b-01', 'b-02'), { item_id: 'b-00', rank: 2 }];
    const pages = await Promise.all(upTo(5).map((seed) => promoting(promoted, { seed })));
    for (const page of pages) expect(page).toEqual(pages[0]);
  });

  test('with a rank beyond the page are left out without a warning', async () => {
    const page = await promoting([{ item_id: 'b-00', rank: 6 }]);
    expect([page.ids, page.warnings]).toEqual([ids('a', 5), []]);
  });

  test('replace themselves in the main list', async () => {
    expect((await promoting([{ item_id: 'a-03', rank: 1 }])).ids).toEqual([
      'a-03',
      'a-00',
      'a-01',
      'a-02',
      'a-04',
    ]);
  });

  test('that are listed twice are shown once', async () => {
    const page = await promoting([...picked('b-00'), { item_id: 'b-00', rank: 2 }]);
    expect(page.ids.filter((item_id) => item_id === 'b-00')).toHaveLength(1);
    expect(page.ids).toHaveLength(5);
  });

  test('can fill a page without a main list', async () => {
    const page = await promoting(picked('b-00', 'b-01'), only('nowhere'));
    expect(page.runs).toBe('promotion:picks 2');
  });

  test('do not change the page if the list is empty', async () => {
    expect((await promoting([])).runs).toBe('main:popular 5');
  });

  test('have the scores of the feed, before and after its time decay', async () => {
    const request = { top_k: 100, time_decay: { half_life_hours: 0.001 } };
    const plain = await mixing.answer({ ...request });
    const page = await promoting(picked('b-07'), { ...request, top_k: 5 });
    const scores = ({ items }: Answer) =>
      items
        .filter(({ item_id }) => item_id === 'b-07')
        .map(({ score, adjusted_score }) => [score, adjusted_score]);
    expect(scores(page)).toEqual(scores(plain));
    expect(scores(page)).toHaveLength(1);
  });
});

describe('unknown hand-picked items', () => {
  test('are named in one warning each', async () => {
    const page = await promoting(picked('unknown-1', 'b-00', 'unknown-2', 'deleted', 'never-described'));
    expect(page.from('promotion:picks')).toEqual(['b-00']);
    expect(page.warnings).toHaveLength(4);
    for (const [at, item_id] of ['unknown-1', 'unknown-2', 'deleted', 'never-described'].entries()) {
      expect(page.warnings[at]).toContain(`'${item_id}'`);
    }
  });

  test('are counted if there are too many to list', async () => {
    const page = await promoting(picked(...upTo(150).map((at) => `unknown-${at}`)));
    expect(page.runs).toBe('main:popular 5');
    expect(page.warnings).toHaveLength(101);
    expect(page.warnings[100]).toContain('50 more');
  });

  test('are left out before the others are spread', async () => {
    const page = await promoting(picked('unknown-1', 'b-09', 'moderated', 'b-03', 'early'), { top_k: 8 });
    expect(page.ids).toEqual(['a-00', 'a-01', 'b-09', 'a-02', 'a-03', 'b-03', 'a-04', 'a-05']);
    expect(page.warnings).toHaveLength(1);
  });
});

describe('hand-picked items are not subject to', () => {
  const cases: [string, Fields][] = [
    ['the filters of the feed', { filters: { channels: ['a'], engagement: { min_likes_count: 499 } } }],
    ['social proof', { user_id: 'viewer', return_only_posts_with_social_proof: true }],
    ['diversity', { feed_diversity_config: { max_posts_per_author: 1 } }],
  ];
  for (const [name, request] of cases) {
    test(name, async () => {
      const page = await promoting(picked('b-05', 'b-06'), request);
      expect(page.from('promotion:picks')).toEqual(['b-05', 'b-06']);
    });
  }
});

describe('hand-picked items are dropped if the viewer', () => {
  async function away(user_id: string, request: Fields = {}): Promise<void> {
    const page = await promoting(picked('c-00', 'c-01'), { user_id, ...request });
    expect([user_id, page.from('promotion:picks')]).toEqual([user_id, ['c-01']]);
    expect(page.warnings).toEqual([]);
    expect(page.ids).toHaveLength(5);
  }

  test('has seen them', async () => {
    await mixing.community.act('looker', 'view', 'c-00');
    await away('looker');
    const first = await promoting(picked('c-00'), { user_id: 'reader', top_k: 1, impression_count: 1 });
    expect(first.ids).toEqual(['c-00']);
    await away('reader');
  });

  test('interacted with them, unless such items are requested', async () => {
    await mixing.community.act('liker', 'like', 'c-00');
    await away('liker');
    const page = await promoting(picked('c-00', 'c-01'), { user_id: 'liker', show_interacted_items: true });
    expect(page.from('promotion:picks')).toEqual(['c-00', 'c-01']);
  });

  test('hid or reported them', async () => {
    await mixing.community.act('hider', 'hide', 'c-00');
    await away('hider', { show_interacted_items: true });
    await mixing.community.act('reporter', 'report', 'c-00');
    await away('reporter', { show_interacted_items: true });
  });

  test('is in a block with their author', async () => {
    await mixing.community.block('blocker', 'writer');
    await away('blocker');
  });

  test('wrote them and own posts are removed', async () => {
    const page = await promoting(picked('c-00', 'c-01'), { user_id: 'writer' });
    expect(page.from('promotion:picks')).toHaveLength(2);
    await away('writer', { remove_user_posts_from_feed: true });
  });
});

test('a saved promotion of items applies to every request, with its given name', async () => {
  const promoted_items = [{ item_id: 'b-00', rank: 1 }, ...picked('unknown')];
  const promotion = { promotion_type: 'items', promotion_name: 'House ads', promoted_items };
  const feed_id = await mixing.feedOf('a', { promotion_filters: [promotion], top_k: 3 });
  const page = await mixing.answer({ feed_id });
  expect(page.labels).toEqual(['promotion:House ads', `main:${feed_id}`, `main:${feed_id}`]);
  expect(page.warnings).toHaveLength(1);
});
