import { describe, expect, test } from 'bun:test';
import { Acts } from '../../../workloads/bench/acts.ts';
import { Arrivals, type Order } from '../../../workloads/bench/arrivals.ts';
import { ArrivalsElsewhere } from '../../../workloads/bench/arrivals-part.ts';
import { Children } from '../../../workloads/bench/children.ts';
import type { Bench } from '../../../workloads/bench/context.ts';
import { Results } from '../../../workloads/bench/measures.ts';
import { Progress } from '../../../workloads/bench/progress.ts';
import { Viewers } from '../../../workloads/bench/requests.ts';
import { measureVisibility } from '../../../workloads/bench/visibility.ts';
import { communityOf, WORLDS, type WorldName } from '../../../workloads/bench/worlds.ts';
import { measureReadsDuringIngest } from '../../../workloads/bench/writes.ts';

const SIZE = { users: 20, items: 50, follows: 40, interactions: 100 };
const COMMUNITY = communityOf(SIZE);
const VIEWERS = new Viewers(COMMUNITY);
const ACTS = new Acts(COMMUNITY, VIEWERS.user_ids);

/** Discards its lines. */
class Silent extends Progress {
  readonly told: string[] = [];
  override begin(): void {}
  override print(line: string): void {
    this.told.push(line);
  }
}

/** A service that receives interactions and can delay its acknowledgements. */
class Service {
  private held = Promise.resolve();
  private held_from = 0;
  private onBody = () => {};
  /** Acknowledges delayed bodies and all further ones. */
  release = () => {};
  private readonly server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const { length } = (await request.json()) as unknown[];
      this.latest = length;
      this.onBody();
      if (this.refuses) return new Response('no', { status: 503 });
      if (length >= this.held_from) await this.held;
      return Response.json({ accepted: length, rejected_count: 0 });
    },
  });

  readonly address = `http://localhost:${this.server.port}`;

  /** Records of the last received body. */
  latest = 0;

  /** Rejects all further bodies. */
  refuses = false;

  /** Delays further bodies with at least this number of records. */
  hold(held_from = 0): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.held = promise;
    this.held_from = held_from;
    this.release = resolve;
  }

  /** Resolves when this number of further bodies has arrived. */
  bodies(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let missing = count;
    this.onBody = () => {
      missing--;
      if (missing === 0) resolve();
    };
    return promise;
  }

  async close(): Promise<void> {
    await this.server.stop(true);
  }
}

async function withService(work: (service: Service) => Promise<void>): Promise<void> {
  const service = new Service();
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

describe('interactions that arrive during a measurement', () => {
  test('are sent until they are stopped, even if few were created in advance', async () => {
    await withService(async (service) => {
      const arrivals = new Arrivals(service.address, ACTS, { records: 100, ahead_ms: 0 });
      await service.bodies(5);
      expect(await arrivals.stop()).toBeLessThanOrEqual(1);
    });
  });

  test('report a failure when they are stopped', async () => {
    await withService(async (service) => {
      service.refuses = true;
      const arrivals = new Arrivals(service.address, ACTS, { records: 100, ahead_ms: 0 });
      await service.bodies(1);
      await expect(arrivals.stop()).rejects.toThrow('503');
    });
  });

  test('count if they are acknowledged before the end', async () => {
    await withService(async (service) => {
      service.hold();
      const arrivals = new Arrivals(service.address, ACTS, { records: 1_000, ahead_ms: 50 });
      await service.bodies(1);
      const stopped = arrivals.stop();
      service.release();
      expect(await stopped).toBe(0);
    });
  });

  test('have all arrived if they are acknowledged immediately', async () => {
    await withService(async (service) => {
      let now_ms = 0;
      // A body lasts 1.2 seconds, so the next one arrives after its acknowledgement.
      const arrivals = new Arrivals(service.address, ACTS, { records: 24_000, ahead_ms: 0 }, () => now_ms);
      now_ms = 1_200;
      await service.bodies(1);
      service.hold();
      await service.bodies(1);
      const stopped = arrivals.stop();
      now_ms = 2_400;
      service.release();
      expect(await stopped).toBe(1);
    });
  });

  test('count one by one even if several are acknowledged together', async () => {
    await withService(async (service) => {
      service.hold();
      let now_ms = 0;
      const arrivals = new Arrivals(service.address, ACTS, { records: 5_000, ahead_ms: 0 }, () => now_ms);
      now_ms = 2_500;
      // Five bodies exceed a second, so no other arrives before one of them is acknowledged.
      await service.bodies(5);
      const releaseFirst = service.release;
      service.hold();
      releaseFirst();
      await service.bodies(5);
      const stopped = arrivals.stop();
      service.release();
      // Five of ten.
      expect(await stopped).toBe(0.5);
    });
  });
});

describe('interactions from a separate process', () => {
  async function elsewhere(service: Service, work: (arriving: ArrivalsElsewhere) => Promise<void>) {
    const children = new Children();
    const arriving = await ArrivalsElsewhere.open(children, service.address, SIZE);
    try {
      await work(arriving);
      await arriving.end();
    } finally {
      await children.killAll();
    }
  }

  test('arrive between each begin and the next stop', async () => {
    await withService((service) =>
      elsewhere(service, async (arriving) => {
        for (const records of [100, 1_000]) {
          const come = service.bodies(3);
          await arriving.begin({ records, ahead_ms: 100 });
          await come;
          expect(await arriving.stop()).toBeWithin(0, 1.001);
          expect(service.latest).toBe(records);
        }
      }),
    );
  });

  test('report a failure when they are stopped', async () => {
    await withService((service) =>
      elsewhere(service, async (arriving) => {
        service.refuses = true;
        const come = service.bodies(1);
        await arriving.begin({ records: 100, ahead_ms: 0 });
        await come;
        await expect(arriving.stop()).rejects.toThrow('503');
      }),
    );
  });
});

test('the time until others see an interaction is reported and judged at any rate of arrivals', async () => {
  const results = new Results('M');
  await withService(async (service) => {
    service.hold(1_000);
    let asked = 0;
    const ask = async () => {
      // One request to find the leader, one when the items are placed, then one before and one after each probe.
      const leader = Math.floor(Math.max(0, asked - 1) / 2) % 2;
      asked++;
      if (asked === 6) setImmediate(() => service.release());
      const metadata = { likes_count: 1, comments_count: 0, shares_count: 0 };
      return JSON.stringify({ body: [{ item_id: `bench-marker-${leader}`, metadata }] });
    };
    const world = { ...WORLDS.M, effort: { ...WORLDS.M.effort, visibility_probes: 2 } };
    const bench = { world, progress: new Silent(), results, service, driver: { ask } };
    await measureVisibility(bench as unknown as Bench, ACTS);
  });
  expect(results.measures()).toMatchObject([{ name: 'visible_to_others_ms_p99', must: 100 }]);
  expect(results.notes[0].lines.slice(-2)).toEqual([
    ['arrived', '0 % of it'],
    ['not seen within 10 s', '0 of 2'],
  ]);
});

describe('reading pages while interactions arrive', () => {
  const NAME = 'ingest_read_p99_ratio';

  /**
   * Reads take 1 ms while nothing arrives, 2 ms beside small bodies and 4 ms beside large ones, which the service
   * acknowledges later.
   */
  async function measured(world: WorldName): Promise<{ results: Results; told: string[] }> {
    const results = new Results(world);
    const progress = new Silent();
    await withService(async (service) => {
      let contender = 0;
      const paced = async () => {
        service.hold();
        if (contender > 0) await service.bodies(1);
        // Not before reading is over.
        setImmediate(() => service.release());
        return { requests: 1, per_s: 100 - 10 * contender, latencies_ms: [2 ** contender], late_ms: [] };
      };
      const bench = {
        world: WORLDS.S,
        progress,
        results,
        viewers: VIEWERS,
        service,
        driver: { paced },
      };
      let arrivals: Arrivals | undefined;
      const arriving = {
        begin: async (order: Order) => {
          contender = order.records < 10_000 ? 1 : 2;
          arrivals = new Arrivals(service.address, ACTS, order);
        },
        stop: async () => {
          contender = 0;
          return (await arrivals?.stop()) ?? 0;
        },
      };
      await measureReadsDuringIngest(bench as unknown as Bench, arriving, 400);
    });
    return { results, told: progress.told };
  }

  test('reports the answered share and the arrived share for each kind of body', async () => {
    const { results, told } = await measured('S');
    expect(results.measures()).toMatchObject([{ name: NAME, value: 4 }]);
    expect(told).toEqual([]);
    expect(results.notes).toEqual([
      {
        heading: 'for-you p99 at 100 requests/s',
        lines: [
          ['idle', '1.00 ms'],
          ['answered in time', '100 % of it'],
          ['20,000 interactions/s in bodies of 1,000', '2.00 ms, 2.00 ×'],
          ['answered in time', '90 % of it'],
          ['arrived', '0 % of it'],
          ['20,000 interactions/s in bodies of 10,000', '4.00 ms, 4.00 ×'],
          ['answered in time', '80 % of it'],
          ['arrived', '0 % of it'],
        ],
      },
    ]);
  });

  test('is left out with a reason if far fewer interactions arrive than required', async () => {
    const { results, told } = await measured('M');
    expect(results.measures()).toEqual([]);
    const reason = 'left out, because far fewer than 20,000 interactions/s arrived';
    expect(told).toEqual([`${NAME}: ${reason}`]);
    expect(results.notes[0].lines.at(-1)).toEqual([NAME, reason]);
  });
});
