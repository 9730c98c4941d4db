import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { FeedType } from '../../src/plugin/index.ts';
import { FEED_TYPES, type Fields } from '../http/support.ts';
import { testsWith } from '../support/fixture.ts';
import { checkAsync } from '../support/long.ts';
import {
  falling,
  ids,
  itemsOf,
  type Mixing,
  only,
  openMixing,
  picking,
  promoting,
  upTo,
} from './mixing-support.ts';

const it = testsWith(openMixing);

/** The items of all plain pages, up to the first empty page. */
async function readAll(mixing: Mixing, request: Fields): Promise<string[][]> {
  const pages: string[][] = [];
  for (let page_number = 1; ; page_number++) {
    const page = await mixing.answer({ ...request, page_number });
    if (page.ids.length === 0) return pages;
    pages.push(page.ids);
  }
}

describe('plain pages', () => {
  it('continue with fallback feeds at the end of the feed', async (mixing) => {
    const request = { ...only('d'), ...falling('@c'), return_global_fallback: true, page_size: 4 };
    const pages = await readAll(mixing, request);
    expect(pages.map(({ length }) => length)).toEqual([...Array(16).fill(4), 1]);
    expect(pages.flat().slice(0, 15)).toEqual([...ids('d', 5), ...ids('c', 10)]);
    expect(new Set(pages.flat()).size).toBe(65);
    const second = await mixing.answer({ ...request, page_number: 2 });
    expect(second.runs).toBe('main:popular 1, fallback_main_1:@c 3');
  });

  it('show each item of both lists once with a promoted feed, for any random slots', async (mixing) => {
    for (const percent of [0, 30, 100]) {
      const request = { ...only('a'), ...promoting({ percent, feed_id: '@b' }), page_size: 7 };
      const pages = await readAll(mixing, request);
      const shown = pages.flat();
      expect(shown.toSorted()).toEqual([...ids('a', 30), ...ids('b', 20)].toSorted());
      for (const channel of ['a', 'b']) {
        const own = shown.filter((item_id) => item_id.startsWith(channel));
        expect(own).toEqual(own.toSorted());
      }
      const promoted = pages[0].filter((item_id) => item_id.startsWith('b'));
      expect(promoted).toHaveLength(Math.ceil((7 * percent) / 100));
    }
  });

  it('show hand-picked items on the first page without losing other items', async (mixing) => {
    const picks = [{ item_id: 'b-00', rank: 2 }, { item_id: 'a-20' }, { item_id: 'b-01', rank: 9 }];
    const request = { ...only('a'), ...picking(...picks), page_size: 8 };
    const pages = await readAll(mixing, request);
    expect(pages[0]).toEqual(['a-00', 'b-00', 'a-01', 'a-02', 'a-20', 'a-03', 'a-04', 'a-05']);
    const rest = ids('a', 30, 6).filter((item_id) => item_id !== 'a-20');
    expect(pages.slice(1).flat()).toEqual(rest);
  });

  it('neither use nor record seen items, from any feed', async (mixing) => {
    for (const item_id of ['a-00', 'b-00', 'c-00', 'd-00'])
      await mixing.community.act('viewer', 'view', item_id);
    const config = { ...only('d'), ...falling('@c'), ...promoting({ percent: 50, feed_id: '@b' }) };
    const { seq } = mixing.community;
    const request = { user_id: 'viewer', page_size: 100, impression_count: 100 };
    const page = await mixing.answer({ ...request, ...config });
    expect(page.ids).toHaveLength(35);
    for (const item_id of ['b-00', 'c-00', 'd-00']) expect(page.ids).toContain(item_id);
    const cold = await mixing.answer({ ...request, cold_start_feed: '@d' });
    expect(cold.from('cold_start:@d')).toEqual(ids('d', 5));
    expect(mixing.community.seq).toBe(seq);
    const counted = await mixing.answer({ user_id: 'viewer', top_k: 100, ...config });
    expect(counted.ids).toHaveLength(32);
  });

  it('drop interacted items in every feed', async (mixing) => {
    await mixing.community.act('viewer', 'like', 'c-03');
    const page = await mixing.answer({ user_id: 'viewer', ...only('d'), ...falling('@c'), page_size: 50 });
    expect(page.ids).toEqual([...ids('d', 5), ...ids('c', 10).filter((item_id) => item_id !== 'c-03')]);
  });

  it('far beyond the end have no great cost', async (mixing) => {
    const request = { page_size: 1, page_number: 1_000_000, ...promoting({ percent: 30, filters: {} }) };
    expect((await mixing.answer(request)).ids).toEqual([]);
  });
});

/** A reader whose feed takes items from all feeds. Every item is eligible. */
async function wholeRequest(mixing: Mixing): Promise<Fields> {
  const fallbacks = { ...falling('@c'), return_global_fallback: true };
  await mixing.save('@cold', { ...only('d'), ...fallbacks });
  const promotion = promoting({ percent: 30, feed_id: '@b' });
  return { ...only('a'), ...promotion, ...fallbacks, cold_start_feed: '@cold' };
}

test('reading to the end shows every item once, with any configuration, while changes arrive', async () => {
  await checkAsync(
    5,
    [
      fc.constantFrom<FeedType>(...FEED_TYPES),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.nat(3), fc.nat(3)), {
        minLength: 2,
        maxLength: 8,
      }),
      fc.boolean(),
      fc.nat(),
    ],
    async (feed_type, steps, known, seed) => {
      await using mixing = await openMixing();
      const { community } = mixing;
      const whole = await wholeRequest(mixing);
      if (known) for (const event of ['like', 'share']) await community.act('viewer', event, 'a-07');
      const shown: string[] = [];
      const read = async (top_k: number) => {
        const request = { ...whole, user_id: 'viewer', top_k, impression_count: top_k, seed };
        const page = await mixing.answer(request, feed_type);
        shown.push(...page.ids);
        return page.ids.length;
      };
      const counts = { a: 30, b: 20 };
      for (const [top_k, fresh, acts] of steps) {
        const left = counts.a + counts.b + 10 + 5 - (known ? 1 : 0) - shown.length;
        expect(await read(top_k)).toBe(Math.min(top_k, left));
        const channel = acts % 2 === 0 ? 'a' : 'b';
        const items = itemsOf(channel, counts[channel] + fresh).slice(counts[channel]);
        counts[channel] += fresh;
        const likes = upTo(acts).map((at) => ({
          user_id: `fan-${at}`,
          item_id: `c-0${(top_k + at) % 10}`,
          event_type: 'like',
        }));
        await Promise.all([community.add('items', ...items), community.add('interactions', ...likes)]);
      }
      while ((await read(7)) > 0);
      const all = [...ids('a', counts.a), ...ids('b', counts.b), ...ids('c', 10), ...ids('d', 5)];
      expect(shown.toSorted()).toEqual(all.filter((id) => !(known && id === 'a-07')).toSorted());
    },
  );
});

it('ten concurrent requests of one viewer never show an item twice', async (mixing) => {
  const whole = await wholeRequest(mixing);
  await mixing.community.act('warm', 'like', 'a-00');
  await mixing.community.act('warm', 'like', 'a-01');
  for (const user_id of ['cold', 'warm']) {
    const pages = await Promise.all(
      upTo(10).map((at) =>
        mixing.answer({ ...whole, user_id, top_k: 6, impression_count: 6 }, FEED_TYPES[at % 3]),
      ),
    );
    expect(pages.map((page) => page.ids.length)).toEqual(Array(10).fill(6));
    expect(new Set(pages.flatMap((page) => page.ids)).size).toBe(60);
  }
});

it('shown items from any feed are recorded as seen, up to the count', async (mixing) => {
  const fixed = { user_id: 'viewer', top_k: 30, return_global_fallback: true, seed: 4 };
  const request = { ...only('d'), ...fixed, ...promoting({ percent: 40, feed_id: '@b' }) };
  const shown = await mixing.answer({ ...request, impression_count: 20 });
  const sources = new Set(shown.labels.slice(0, 20).map((label) => label.split(':')[0]));
  expect(sources).toEqual(new Set(['main', 'promotion', 'fallback_global']));
  const { ids: left } = await mixing.answer({ user_id: 'viewer', top_k: 100 });
  expect(left).toHaveLength(65 - 20);
  expect(left.filter((item_id) => shown.ids.slice(0, 20).includes(item_id))).toEqual([]);
  for (const item_id of shown.ids.slice(20)) expect(left).toContain(item_id);
});
