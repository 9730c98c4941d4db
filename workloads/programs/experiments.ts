/**
 * What a running experiment costs: the CPU time of the whole process for a for-you page of a saved feed with one, over
 * an equal saved feed without, without and with recorded impressions. Pages of both are asked for in turns. Run:
 * `bun workloads/programs/experiments.ts`, half a minute.
 */

import { ManualClock, seededRandom } from '../../src/clock.ts';
import { openTestService, type TestService } from '../../test/support/service.ts';
import { createCommunity } from '../community/community.ts';

const NOW = 1_767_225_600;
const BODY_RECORDS = 5_000;
const USERS = 5_000;
const WARM_UP_ROUNDS = 10;
const ROUNDS = 41;
const PAGES_PER_ROUND = 200;
const AT_ONCE = 20;
const PAGE_ITEMS = 25;
const EDITOR = { account: 'default', actor: 'bench' };

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

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1];
}

const random = seededRandom(1);

/** CPU time of a page in µs, the mean of a round. */
async function pageTime(
  { service }: TestService,
  feed_id: string,
  impression_count: number,
): Promise<number> {
  const { state, feeds } = service;
  const before = process.cpuUsage();
  for (let asked = 0; asked < PAGES_PER_ROUND; asked += AT_ONCE) {
    const viewers = Array.from({ length: AT_ONCE }, () => state.users.names.id(Math.floor(random() * USERS)));
    const request = { feed_id, account: EDITOR.account, top_k: PAGE_ITEMS, impression_count };
    await Promise.all(viewers.map((user_id) => feeds.serve('for-you', { ...request, user_id })));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / PAGES_PER_ROUND;
}

const opened = await openTestService({ clock: new ManualClock(NOW), settings: { derived_lag_ms: 100 } });
try {
  await fill(opened);
  const { saved_feeds, experiments } = opened.service;
  const save = async (name: string) => {
    const { feed } = await saved_feeds.create(EDITOR, { name, endpoint: 'feeds/for-you', config: {} });
    return feed.feed_id;
  };
  const [without, tried, treatment] = [await save('Without'), await save('With'), await save('Treatment')];
  const variants = [
    { name: 'control', feed_id: tried, percent: 50 },
    { name: 'treatment', feed_id: treatment, percent: 50 },
  ];
  await experiments.create(EDITOR, { name: 'Measured', feed_id: tried, variants });
  for (const impression_count of [0, PAGE_ITEMS]) {
    const plain: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      const order = round % 2 === 0 ? [without, tried] : [tried, without];
      const spent = new Map<string, number>();
      for (const feed_id of order) spent.set(feed_id, await pageTime(opened, feed_id, impression_count));
      if (round < WARM_UP_ROUNDS) continue;
      const [plain_us, tried_us] = [without, tried].map((feed_id) => spent.get(feed_id) ?? 0);
      plain.push(plain_us);
      ratios.push(tried_us / plain_us);
    }
    const recorded =
      impression_count === 0 ? 'nothing recorded' : `${impression_count} items recorded as seen`;
    const [page_us, ratio] = [median(plain).toFixed(0), median(ratios).toFixed(3)];
    console.log(`a for-you page of a saved feed, ${recorded}: ${page_us} µs, with an experiment × ${ratio}`);
  }
} finally {
  await opened.close();
}
