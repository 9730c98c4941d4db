import { afterAll, beforeAll, expect, test } from 'bun:test';
import { seededRandom } from '../../../src/clock.ts';
import type { Settings } from '../../../src/settings.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { scrape } from '../../support/samples.ts';
import { START } from '../../support/service.ts';
import { type Community, openCommunity } from '../support.ts';

const ITEMS = 120;
const LATE_MS = 75;
const PAGE = 5;

/** A community with an event loop that comes late when the test says so. */
async function openLoaded(settings: Partial<Settings>) {
  const timers = new ManualTimers();
  let now_ms = 0;
  const opening = { timers, monotonicMs: () => now_ms };
  const community = await openCommunity({ settings, opening });
  const stop = community.server.service.load.watch();
  /** Two seconds in which every turn of the event loop comes so late. */
  const spend = async (late_ms: number) => {
    for (const end_ms = now_ms + 2_000; now_ms < end_ms; ) {
      now_ms += 25 + late_ms;
      await timers.pass(0.025);
    }
  };
  await fill(community);
  return { community, spend, stop };
}

async function fill(community: Community): Promise<void> {
  const items = Array.from({ length: ITEMS }, (_, at) => ({
    item_id: `item-${at}`,
    author_id: `author-${at % 7}`,
    created_at: START - at,
    likes_count: at % 11,
    language: at % 2 === 0 ? 'en' : 'pt',
  }));
  await community.add('items', ...items);
  const random = seededRandom(1);
  const likes = Array.from({ length: 600 }, (_, at) => ({
    user_id: `user-${Math.floor(random() * 30)}`,
    item_id: `item-${Math.floor(random() * ITEMS)}`,
    event_type: 'like',
    timestamp: START - 1_000 + at,
  }));
  await community.add('interactions', ...likes);
}

let loaded: Awaited<ReturnType<typeof openLoaded>>;
let community: Community;
beforeAll(async () => {
  loaded = await openLoaded({ derived_lag_ms: 100 });
  community = loaded.community;
});
afterAll(async () => {
  loaded.stop();
  await community.server.close();
});

async function effortOf(of: Community): Promise<number> {
  const { body } = await of.ask('for-you', { user_id: 'user-1', explain: true });
  return body.trace.effort;
}

const metric = async (name: string) => (await scrape(community.server)).get(name) ?? 0;

test('pages and explanations of an item report the effort with which they were built', async () => {
  await loaded.spend(0);
  expect(await effortOf(community)).toBe(1);
  await loaded.spend(LATE_MS);
  expect(await effortOf(community)).toBe(0.5);
  await loaded.spend(4 * LATE_MS);
  expect(await effortOf(community)).toBe(0.25);
  const { body } = await community.ask('popular/explain', { item_id: 'item-3' });
  expect(body.body.effort).toBe(0.25);
  await loaded.spend(0);
  expect(await effortOf(community)).toBe(1);
});

test('the metrics include the lag, the effort, and the number of pages by effort', async () => {
  await loaded.spend(LATE_MS);
  expect(await metric('feedloom_load_lag_seconds')).toBeCloseTo(LATE_MS / 1000, 3);
  expect(await metric('feedloom_effort')).toBe(0.5);
  const reduced = 'feedloom_pages_by_effort_total{community="content",effort="0.5"}';
  const before = await metric(reduced);
  await community.page('popular');
  expect(await metric(reduced)).toBe(before + 1);
});

for (const late_ms of [0, LATE_MS, 4 * LATE_MS]) {
  test(`at a lag of ${late_ms} ms pages are full, filters hold, and every item is reached once`, async () => {
    await loaded.spend(late_ms);
    const request = { user_id: `reader-${late_ms}`, filters: { languages: ['pt'] }, impression_count: 25 };
    const shown: string[] = [];
    for (let page = 0; page < 3; page++) shown.push(...(await community.ids('for-you', request)));
    const wanted = Array.from({ length: ITEMS / 2 }, (_, at) => `item-${2 * at + 1}`);
    expect(shown.toSorted()).toEqual(wanted.toSorted());
  });
}

test('under load sources propose fewer items, but always enough for a page', async () => {
  const proposed = async () => {
    const { body } = await community.ask('for-you', { user_id: 'user-2', top_k: PAGE, explain: true });
    const walk = body.trace.stages.find(({ plugin }: { plugin: string }) => plugin === 'walk');
    return walk.in;
  };
  await loaded.spend(0);
  const full = await proposed();
  expect(full).toBeGreaterThan(PAGE);
  await loaded.spend(4 * LATE_MS);
  expect(await proposed()).toBe(PAGE);
});

test('repeatable pages, and a threshold of 0, always use full effort', async () => {
  for (const settings of [{ derived_lag_ms: 0 }, { derived_lag_ms: 100, lag_ms: 0 }]) {
    const other = await openLoaded(settings);
    await other.spend(4 * LATE_MS);
    expect(await effortOf(other.community)).toBe(1);
    other.stop();
    await other.community.server.close();
  }
});
