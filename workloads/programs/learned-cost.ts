/**
 * What `learned_v0.0.1` costs beside the default scoring function once every signal has a weight, in CPU time of whole
 * pages, in turns: for-you and trending, for viewers who were shown pages before. Run: `bun workloads/programs/learned-cost.ts`, about two minutes.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, seededRandom } from '../../src/clock.ts';
import { openTestService, type TestService } from '../../test/support/service.ts';
import { createCommunity } from '../community/community.ts';

const NOW = 1_767_225_600;
const BODY_RECORDS = 5_000;
const USERS = 5_000;
const VIEWERS = 500;
const WARM_UP_ROUNDS = 10;
const ROUNDS = 41;
const PAGES_PER_ROUND = 200;

async function fill({ service }: TestService): Promise<void> {
  const sizes = { users: USERS, items: 20_000, follows: 100_000, interactions: 200_000 };
  const community = createCommunity({ seed: 7, now: NOW, days: 30, text: false, ...sizes });
  for (const kind of ['users', 'items', 'follows', 'interactions'] as const) {
    const records: unknown[] = [...community[kind]()];
    for (let at = 0; at < records.length; at += BODY_RECORDS) {
      await service.ingest.ingest(kind, records.slice(at, at + BODY_RECORDS));
    }
  }
}

/** Viewers act on the third item of pages of both types, and the windows of these pages pass. */
async function teach({ service: { ingest, feeds, state, settings }, clock }: TestService): Promise<void> {
  for (const feed_type of ['for-you', 'trending'] as const)
    for (let viewer = 0; viewer < VIEWERS; viewer++) {
      const user_id = state.users.names.id(viewer);
      const { items } = await feeds.serve(feed_type, { user_id, impression_count: 0, learn: true });
      await ingest.shown.flushed();
      const act = { user_id, item_id: items[2].item_id, event_type: 'bookmark', timestamp: clock.now() };
      await ingest.ingest('interactions', [act]);
    }
  clock.advance(settings.learn_window_s + 1);
  await ingest.ingest('users', [{ user_id: 'passer-by' }]);
  if (state.learning.modelOf('trending', 0) === undefined) throw new Error('nothing was learnt');
}

const cpuMs = () => process.cpuUsage().user / 1000;

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

const data = mkdtempSync(join(tmpdir(), 'feedloom-learned-cost-'));
const clock = new ManualClock(NOW);
const open = (logs_shown: boolean) =>
  openTestService({ data, clock, settings: { derived_lag_ms: 100 }, opening: { logs_shown } });
const teaching = await open(true);
await fill(teaching);
await teach(teaching);
await teaching.close();
// Without the log of shown pages. What that costs is measured by workloads/programs/learning-cost.ts.
const opened = await open(false);
try {
  const { state, feeds } = opened.service;
  const viewers = Array.from({ length: VIEWERS }, (_, user) => state.users.names.id(user));
  for (const user_id of viewers)
    for (let page = 0; page < 3; page++) await feeds.serve('for-you', { user_id, impression_count: 25 });
  const random = seededRandom(1);
  const pageUs = async (feed_type: 'for-you' | 'trending', changes: object): Promise<number> => {
    const chosen = Array.from({ length: PAGES_PER_ROUND }, () => viewers[Math.floor(random() * VIEWERS)]);
    const start_ms = cpuMs();
    for (const user_id of chosen) await feeds.serve(feed_type, { user_id, impression_count: 0, ...changes });
    return ((cpuMs() - start_ms) / PAGES_PER_ROUND) * 1000;
  };
  for (const feed_type of ['for-you', 'trending'] as const) {
    const kinds = [{ learn: false }, { scoring: 'learned_v0.0.1' }];
    const spent: number[][] = [[], []];
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
      for (let turn = 0; turn < kinds.length; turn++) {
        const kind = (round + turn) % kinds.length;
        const us = await pageUs(feed_type, kinds[kind]);
        if (round >= WARM_UP_ROUNDS) spent[kind].push(us);
      }
    const [usual, learned] = spent.map(median);
    const ratio = median(spent[1].map((us, round) => us / spent[0][round]));
    console.log(
      `${feed_type}: default ${usual.toFixed(1)} µs a page, learned ${learned.toFixed(1)} µs (× ${ratio.toFixed(3)})`,
    );
  }
} finally {
  await opened.close();
  rmSync(data, { recursive: true });
}
