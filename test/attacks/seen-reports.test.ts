import { expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { openCommunity } from '../http/support.ts';
import { START } from '../support/service.ts';

/** The largest bodies of `POST …/impressions`: 100 reports of 500 items. */

const PATH = '/v2/farcaster/impressions';
const { reports_of_seen_max: REPORTS, seen_report_items_max: ITEMS } = LIMITS;

function reportsOf(user: (report: number) => string, item: (report: number, at: number) => string): object[] {
  return Array.from({ length: REPORTS }, (_, report) => ({
    user_id: user(report),
    item_ids: Array.from({ length: ITEMS }, (_, at) => item(report, at)),
  }));
}

test('reports of made-up items and viewers store nothing, and their warnings stay short', async () => {
  await using community = await openCommunity();
  await community.addItem('known', { created_at: START });
  const { state, seen, store } = community.server.service;
  const { seq } = state;
  const made_up = (report: number, at: number) => `${'x'.repeat(60)}-${report}-${at}`;
  const attack = await community.server.post(
    PATH,
    reportsOf((report) => `nobody-${report}`, made_up),
  );
  expect([attack.status, attack.body.recorded]).toEqual([200, 0]);
  expect(attack.body.warnings).toHaveLength(1);
  expect(attack.body.warnings[0]).toContain(`and ${REPORTS * ITEMS - LIMITS.warned_items_max} more`);
  expect(JSON.stringify(attack.body).length).toBeLessThan(4_000);
  expect([state.seq, state.users.size, seen.cached_bytes]).toEqual([seq, 1, expect.any(Number)]);
  const viewers = Array.from({ length: REPORTS }, (_, report) => seen.viewerOf(`nobody-${report}`));
  const rows = await store.seen.read(viewers.map((viewer) => ({ viewer, number: 0 })));
  expect(rows.filter(({ number }) => number > 0)).toEqual([]);
  // The control: a report of a known item.
  const control = await community.server.post(PATH, { user_id: 'v', item_ids: ['known'] });
  expect(control.body).toEqual({ status: 'success', recorded: 1 });
});

test('the largest body of reports for one viewer is one row of a bounded size', async () => {
  await using community = await openCommunity();
  const items = Array.from({ length: 10_000 }, (_, at) => ({
    item_id: `item-${at}`,
    author_id: 'author',
    created_at: START,
  }));
  await community.add('items', ...items);
  const body = reportsOf(
    () => 'v',
    (report, at) => `item-${(report * ITEMS + at) % items.length}`,
  );
  const { status, body: answer } = await community.server.post(PATH, body);
  expect([status, answer.recorded]).toEqual([200, items.length]);
  const { seen, state } = community.server.service;
  const row = await seen.read(seen.viewerOf('v'));
  expect(row.inOrder()).toHaveLength(items.length);
  expect(row.bytes).toBeLessThan(2_000_000);
  expect(state.users.names.find('v')).toBe(-1);
});
