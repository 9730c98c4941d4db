/**
 * What clients of followers notice while the leader is stopped: three nodes on one PostgreSQL database, and every 10 ms a
 * write and every 25 ms a page with an impression through each follower. It takes ten seconds:
 * `bun workloads/programs/hand-over.ts`.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monotonicMs } from '../../src/clock.ts';
import { API_KEY, killAll, startService } from '../../test/simulation/support/service-process.ts';
import { emptyDatabase } from '../../test/support/prepared-data.ts';

const WRITES_EVERY_MS = 10;
const PAGES_EVERY_MS = 25;
const BEFORE_MS = 1_500;
const AFTER_MS = 5_000;
const V2 = '/v2/farcaster';

interface Answered {
  status: number;
  end_ms: number;
}

const folder = mkdtempSync(join(tmpdir(), 'feedloom-hand-over-'));
const env = {
  FEEDLOOM_DATABASE_URL: await emptyDatabase(),
  FEEDLOOM_CLUSTER_SECRET: 'secret-of-the-bench',
};
const start = (name: string) => startService(join(folder, name), { env });
const leader = await start('leader');
const followers = [await start('one'), await start('two')];
const under_way: Promise<unknown>[] = [];
let number = 0;

/** Sends a request to each follower at intervals, until the returned function is called. */
function sendEvery(
  ms: number,
  path: string,
  bodyOf: (number: number) => unknown,
  answers: Answered[],
): () => void {
  const send = async (address: string): Promise<void> => {
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
    const body = JSON.stringify(bodyOf(number++));
    const answer = await fetch(address + path, { method: 'POST', headers, body });
    await answer.bytes();
    answers.push({ status: answer.status, end_ms: monotonicMs() });
  };
  const timer = setInterval(() => {
    for (const { address } of followers) under_way.push(send(address));
  }, ms);
  return () => clearInterval(timer);
}

/** The longest time between two acknowledgements after a moment. */
function longestGap(answers: readonly Answered[], from_ms: number): number {
  const ends = answers.filter(({ status }) => status === 200).map(({ end_ms }) => end_ms);
  return Math.max(...ends.map((end_ms, at) => (end_ms < from_ms ? 0 : end_ms - ends[at - 1])));
}

const writes: Answered[] = [];
const pages: Answered[] = [];
const itemOf = (id: number) => [{ item_id: `item${id}`, author_id: 'author', created_at: 1_767_225_600 }];
const viewOf = (id: number) => ({ user_id: `viewer${id}`, top_k: 2, impression_count: 1 });
const ends = [
  sendEvery(WRITES_EVERY_MS, `${V2}/items`, itemOf, writes),
  sendEvery(PAGES_EVERY_MS, `${V2}/feeds/popular`, viewOf, pages),
];
await Bun.sleep(BEFORE_MS);
const stop_ms = monotonicMs();
await leader.stop();
await Bun.sleep(AFTER_MS);
for (const end of ends) end();
await Promise.all(under_way);
for (const [name, answers] of Object.entries({ writes, pages })) {
  const refused = answers.filter(({ status }) => status === 503).length;
  const gap_ms = Math.round(longestGap(answers, stop_ms));
  console.log(`${name}: ${refused} of ${answers.length} refused with 503, longest gap ${gap_ms} ms`);
}
await killAll();
rmSync(folder, { recursive: true, force: true });
