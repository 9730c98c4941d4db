import { monotonicMs, type Random, seededRandom } from '../clock.ts';
import { median, quantile } from '../statistics.ts';
import type { Community } from '../synthetic/community.ts';
import { postRecords } from './built-world.ts';
import { type Bench, inTurns, ratios } from './context.ts';
import { keptUp } from './load.ts';

/** Bodies under way at the same time when ingest is driven as fast as it goes. */
const BODIES_IN_FLIGHT = 8;
const BODY_RECORDS = 1_000;
/** Interactions that arrive while pages are read. */
export const ARRIVING_PER_S = 20_000;
/** Share of the peak at which pages are read meanwhile. */
const READING_SHARE = 0.25;
/** Most act on what is new: the exponent of the draw among items in time order. */
const RECENCY_SKEW = 3;
const EVENT_TYPES = ['view', 'view', 'like', 'like', 'share', 'bookmark'] as const;

/** New interactions of the world's people with its items, the newest items most. */
export class Acts {
  private readonly item_ids: string[];
  private readonly random: Random = seededRandom(3);
  private count = 0;

  constructor(
    community: Community,
    private readonly user_ids: readonly string[],
  ) {
    this.item_ids = Array.from(community.items(), ({ item_id }) => item_id);
  }

  /** A JSON body of `records` interactions, each at the time at which it arrives. */
  body(records: number): Uint8Array<ArrayBuffer> {
    const { random, item_ids, user_ids } = this;
    const acts = Array.from({ length: records }, () => {
      const item = item_ids[item_ids.length - 1 - Math.floor(item_ids.length * random() ** RECENCY_SKEW)];
      const event_type = EVENT_TYPES[this.count++ % EVENT_TYPES.length];
      return { user_id: user_ids[Math.floor(random() * user_ids.length)], item_id: item, event_type };
    });
    return new TextEncoder().encode(JSON.stringify(acts));
  }
}

/** Interactions acknowledged as durable in a second: `ingest_per_s`. */
export async function measureIngest({ world, progress, results, service }: Bench, acts: Acts): Promise<void> {
  const { rounds, ingest_bodies } = world.effort;
  progress.begin('ingest', rounds);
  const values = await inTurns(progress, rounds, {
    ingest: async () => {
      const bodies = Array.from({ length: ingest_bodies }, () => acts.body(BODY_RECORDS));
      const start_ms = monotonicMs();
      const sender = async (): Promise<void> => {
        for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
          await postRecords(service.address, 'interactions', body);
        }
      };
      await Promise.all(Array.from({ length: BODIES_IN_FLIGHT }, sender));
      return (ingest_bodies * BODY_RECORDS) / ((monotonicMs() - start_ms) / 1000);
    },
  });
  results.set('ingest_per_s', median(values.ingest));
}

/** Sends bodies at the pace of `ARRIVING_PER_S` until stopped; at most a second's worth may be unanswered. */
export class Arrivals {
  private running = true;
  private readonly done: Promise<void>;

  constructor(address: string, acts: Acts, records: number, duration_ms: number) {
    const count = Math.max(1, Math.ceil((duration_ms / 1000) * (ARRIVING_PER_S / records)));
    const bodies = Array.from({ length: count }, () => acts.body(records));
    this.done = this.send(address, bodies, (records / ARRIVING_PER_S) * 1000);
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.done;
  }

  private async send(address: string, bodies: Uint8Array<ArrayBuffer>[], interval_ms: number): Promise<void> {
    const start_ms = monotonicMs();
    const under_way = new Set<Promise<unknown>>();
    for (const [index, body] of bodies.entries()) {
      await Bun.sleep(Math.max(0, start_ms + index * interval_ms - monotonicMs()));
      if (!this.running) break;
      const sent = postRecords(address, 'interactions', body).finally(() => under_way.delete(sent));
      under_way.add(sent);
      if (under_way.size * interval_ms > 1000) await Promise.race(under_way);
    }
    await Promise.all(under_way);
  }
}

/** How much longer for-you requests take while interactions arrive: `ingest_read_p99_ratio`. */
export async function measureReadsDuringIngest(bench: Bench, acts: Acts, peak_per_s: number): Promise<void> {
  const { world, progress, results, driver, viewers, service } = bench;
  const { rounds, turn_ms } = world.effort;
  const duration_ms = 2 * turn_ms;
  progress.begin('reading while interactions arrive', rounds * 3);
  const per_s: number[] = [];
  const p99 = async () => {
    const load = await driver.paced(duration_ms, peak_per_s * READING_SHARE, viewers.shown('for-you'));
    per_s.push(load.per_s);
    return quantile(load.latencies_ms, 0.99);
  };
  const during = (records: number) => async () => {
    const arrivals = new Arrivals(service.address, acts, records, duration_ms);
    const value = await p99();
    await arrivals.stop();
    return value;
  };
  const values = await inTurns(progress, rounds, { idle: p99, small: during(1_000), large: during(10_000) });
  const small = median(ratios(values.small, values.idle));
  const large = median(ratios(values.large, values.idle));
  results.set('ingest_read_p99_ratio', Math.max(small, large));
  results.note(`for-you p99 at ${Math.round(peak_per_s * READING_SHARE)} requests/s`, [
    ['idle', `${median(values.idle).toFixed(2)} ms`],
    [
      '20,000 interactions/s in bodies of 1,000',
      `${median(values.small).toFixed(2)} ms, ${small.toFixed(2)} ×`,
    ],
    [
      '20,000 interactions/s in bodies of 10,000',
      `${median(values.large).toFixed(2)} ms, ${large.toFixed(2)} ×`,
    ],
    keptUp(per_s, peak_per_s * READING_SHARE),
  ]);
}
