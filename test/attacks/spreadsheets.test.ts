import { expect, test } from 'bun:test';
import { resultsCsv } from '../../src/console/app/pages/experiments/results-csv.ts';
import { csvFields } from '../../src/rows/csv.ts';
import { openLab } from '../experiments/support.ts';

/** Texts of other people that a spreadsheet would run as formulas, beside harmless ones. */

const FORMULA = '=HYPERLINK("http://localhost/?"&A1)';

test('formulas in identifiers and names of variants are text in the CSV files for spreadsheets', async () => {
  await using lab = await openLab();
  await lab.items(6);
  const { left, right } = await lab.feeds();
  const id = await lab.start(left, left, {
    variants: [
      { name: '@SUM(A1)', feed_id: left, percent: 50 },
      { name: 'other', feed_id: right, percent: 50 },
    ],
  });
  const viewers = [FORMULA, '-1+1', 'harmless=1'];
  await lab.add('users', ...viewers.map((user_id) => ({ user_id })));
  for (const user_id of viewers) await lab.page('popular', { feed_id: left, user_id, impression_count: 6 });
  const rows = (await lab.viewers(id)).map((line) => csvFields(line)!);
  expect(rows.map(([user_id]) => user_id).sort()).toEqual([`'-1+1`, `'${FORMULA}`, 'harmless=1']);
  const [header, ...results] = resultsCsv(await lab.data(id))
    .trimEnd()
    .split('\n');
  const at = header.split(',').indexOf('variant');
  expect([...new Set(results.map((line) => csvFields(line)![at]))]).toEqual(["'@SUM(A1)", 'other']);
});
