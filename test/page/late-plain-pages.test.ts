import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { openCommunity } from '../http/support.ts';
import { checkAsync } from '../support/long.ts';
import { forFile, START } from '../support/service.ts';
import { upTo } from './mixing-support.ts';
import { handed } from './promotions-plugin.ts';

/** Costs of late plain pages with hand-picked items. The pages must not depend on the optimisation. */

const ITEMS = 40;

const settings = { plugins: join(import.meta.dir, 'promotions-plugin.ts') };
const community = await forFile(openCommunity({ settings }));
await community.add(
  'items',
  ...upTo(ITEMS).map((at) => {
    return { item_id: `i${at}`, author_id: 'author', created_at: START - at, likes_count: ITEMS - at };
  }),
);

interface Picked {
  item_id: string;
  rank?: number;
}

async function page(
  type: string,
  promoted_items: Picked[],
  page_size: number,
  page_number: number,
): Promise<string[]> {
  const promotion = { promotion_type: type, promotion_name: 'picked', promoted_items };
  return community.ids('popular', { page_size, page_number, promotion_filters: [promotion] });
}

async function pages(type: string, promoted_items: Picked[], page_size: number): Promise<string[][]> {
  const all: string[][] = [];
  for (let page_number = 1; ; page_number++) {
    const shown = await page(type, promoted_items, page_size, page_number);
    if (shown.length === 0) return all;
    all.push(shown);
  }
}

describe('plain pages with hand-picked items', () => {
  test('are the same if a strategy gets all items or only those that the page has slots for', async () => {
    const picks = fc.uniqueArray(fc.nat(ITEMS + 5), { maxLength: 12 }).chain((ats) =>
      fc.tuple(
        fc.constant(ats),
        fc.shuffledSubarray(
          upTo(12).map((at) => at + 1),
          { minLength: ats.length, maxLength: ats.length },
        ),
        fc.array(fc.boolean(), { minLength: ats.length, maxLength: ats.length }),
      ),
    );
    await checkAsync(15, [picks, fc.integer({ min: 1, max: 9 })], async ([ats, ranks, pinned], page_size) => {
      const picked = ats.map((at, index) => ({
        item_id: `i${at}`,
        ...(pinned[index] ? { rank: ranks[index] } : {}),
      }));
      const all = await pages('counted/all_v1.0.0', picked, page_size);
      expect(await pages('counted/few_v1.0.0', picked, page_size)).toEqual(all);
      expect(await pages('items', picked, page_size)).toEqual(all);
    });
  });

  test('pass only as many items to a strategy as a page has slots, and end with the main list', async () => {
    const picked = upTo(20).map((at) => ({ item_id: `i${at}` }));
    Object.assign(handed, { pages: 0, items: 0 });
    expect(await page('counted/few_v1.0.0', picked, 1, ITEMS)).toEqual([`i${ITEMS - 1}`]);
    expect(handed).toEqual({ pages: 21, items: 20 });
    Object.assign(handed, { pages: 0, items: 0 });
    const pinned = picked.map(({ item_id }, index) => ({ item_id, rank: index + 1 }));
    expect(await page('counted/few_v1.0.0', pinned, 1, ITEMS)).toEqual([`i${ITEMS - 1}`]);
    expect(handed).toEqual({ pages: 2, items: 1 });
  });
});
