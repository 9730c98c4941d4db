import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { forFile, START } from '../../support/service.ts';
import { type Fields, openCommunity } from '../support.ts';

const community = await forFile(
  openCommunity({
    settings: { plugins: join(import.meta.dir, '..', 'whole-defaults-plugin.ts') },
  }),
);
for (const [at, item_id] of ['a', 'b', 'c', 'd', 'e'].entries())
  await community.addItem(item_id, { created_at: START - at });

test('without options the default of the whole schema is used, of any type', async () => {
  const scored: [unknown, number][] = [
    ['whole/number_v1.0.0', 3],
    [{ name: 'whole/number_v1.0.0' }, 3],
    [{ name: 'whole/number_v1.0.0', options: null }, 3],
    [{ name: 'whole/number_v1.0.0', options: 4 }, 4],
    ['whole/list_v1.0.0', 2],
    [{ name: 'whole/list_v1.0.0', options: [] }, 0],
    ['whole/object_v1.0.0', 6],
    [{ name: 'whole/object_v1.0.0', options: { a: 2 } }, 3],
    ['whole/entries_v1.0.0', 6],
    [{ name: 'whole/entries_v1.0.0', options: { b: 3 } }, 3],
    [{ name: 'whole/entries_v1.0.0', options: {} }, 0],
    ['whole/part_v1.0.0', 0.25],
  ];
  for (const [scoring, score] of scored) {
    const [item] = await community.page('for-you', { user_id: 'viewer', scoring });
    expect([scoring, item.score]).toEqual([scoring, score]);
  }
});

test('a promotion without options uses the default of its strategy', async () => {
  const promoted = async (given: Fields) => {
    const promotion = { promotion_name: 'ad', promotion_type: 'whole/first_v1.0.0', ...given };
    const promoted_items = ['c', 'd', 'e'].map((item_id) => ({ item_id }));
    const page = await community.page('popular', { promotion_filters: [{ ...promotion, promoted_items }] });
    return page.filter(({ promotion_name }) => promotion_name === 'ad').map(({ item_id }) => item_id);
  };
  expect(await promoted({})).toEqual(['c', 'd']);
  expect(await promoted({ options: 1 })).toEqual(['c']);
});
