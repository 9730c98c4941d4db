/**
 * What a third party's scoring function costs beside a built-in one of the same formula, in CPU time: whole for-you pages
 * of equally many candidates, in turns, and the function alone over every item. The plugin is loaded from a file as any
 * other, so what the service does on its account (guards, marks for the watchdog, a timed sample of pages) is in it. Run:
 * `bun workloads/programs/plugin-cost.ts`.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, monotonicMs, seededRandom } from '../../src/clock.ts';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import { engineOn, requestOn } from '../../test/support/scene.ts';
import { openTestService, type TestService } from '../../test/support/service.ts';
import { createCommunity } from '../community/community.ts';

const NOW = 1_767_225_600;
const BODY_RECORDS = 5_000;
const USERS = 5_000;
const WARM_UP_ROUNDS = 10;
const ROUNDS = 41;
const PAGES_PER_ROUND = 200;
const PASSES_PER_ROUND = 5;
const CANDIDATES = 500;

const BUILT_IN = 'balanced_feed_v0.0.1';
const EXTERNAL = 'copy/balanced_v1.0.0';
const PLUGIN = `
  import { blended, definePlugin, defineScoringFunction, Type } from 'feedloom/plugin';

  const SIGNALS = ['interest_all', 'profile', 'semantic_interest', 'momentum', 'affinity_all', 'dislike'];

  export default definePlugin({
    meta: { name: 'copy', version: '1.0.0', api: 2 },
    scoring_functions: {
      '${EXTERNAL}': defineScoringFunction({
        summary: 'The same formula.',
        options: Type.Object({}, { additionalProperties: false }),
        ...blended(SIGNALS, (interest, profile, semantic, momentum, affinity, dislike) => {
          const taste = 0.3 + interest + 0.2 * profile + 0.5 * semantic;
          const pace = Math.sqrt(0.02 + momentum);
          return taste * Math.sqrt(taste) * pace * Math.sqrt(pace) * (1 + 0.3 * affinity) * (1 - dislike);
        }, ['dislike']),
      }),
    },
  });
`;

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

/** Median over the rounds of what the second took over the first, each measured in every round. */
async function ratio(measure: (id: string) => Promise<number>): Promise<{ first: number; ratio: number }> {
  const firsts: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const order = round % 2 === 0 ? [BUILT_IN, EXTERNAL] : [EXTERNAL, BUILT_IN];
    const spent = new Map<string, number>();
    for (const id of order) spent.set(id, await measure(id));
    if (round < WARM_UP_ROUNDS) continue;
    firsts.push(spent.get(BUILT_IN)!);
    ratios.push(spent.get(EXTERNAL)! / spent.get(BUILT_IN)!);
  }
  return { first: median(firsts), ratio: median(ratios) };
}

const cpuMs = () => process.cpuUsage().user / 1000;

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

const folder = mkdtempSync(join(tmpdir(), 'feedloom-plugin-cost-'));
const plugins = join(folder, 'copy.ts');
writeFileSync(plugins, PLUGIN);
const opened = await openTestService({
  clock: new ManualClock(NOW),
  settings: { plugins, derived_lag_ms: 100 },
});
try {
  await fill(opened);
  const { state, registry, feeds } = opened.service;
  const random = seededRandom(1);
  const pages = await ratio(async (scoring) => {
    const viewers = Array.from({ length: PAGES_PER_ROUND }, () => Math.floor(random() * USERS));
    const start_ms = cpuMs();
    for (const viewer of viewers) {
      const user_id = state.users.names.id(viewer);
      await feeds.serve('for-you', { user_id, scoring, impression_count: 0, candidate_limit: CANDIDATES });
    }
    return ((cpuMs() - start_ms) / PAGES_PER_ROUND) * 1000;
  });
  console.log(`a for-you page: ${pages.first.toFixed(1)} µs, with the plugin × ${pages.ratio.toFixed(3)}`);
  const engine = engineOn(state, { registry, lag_ms: 100, monotonicMs });
  const request = requestOn(engine, { viewer: state.users.names.id(5), now: NOW });
  const alone = await ratio(async (scoring) => {
    const score = compileFeed(registry, 'for-you', { scoring }).scoring.bind(request);
    const start_ms = cpuMs();
    let sum = 0;
    for (let pass = 0; pass < PASSES_PER_ROUND; pass++) {
      for (let item = 0; item < state.items.size; item++) sum += score(item);
    }
    if (!(sum > 0)) throw new Error('nothing was scored');
    return ((cpuMs() - start_ms) / PASSES_PER_ROUND / state.items.size) * 1e6;
  });
  console.log(`an item's score: ${alone.first.toFixed(1)} ns, by the plugin × ${alone.ratio.toFixed(3)}`);
} finally {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
}
