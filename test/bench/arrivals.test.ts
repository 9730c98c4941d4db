import { describe, expect, test } from 'bun:test';
import { Arrivals } from '../../src/bench/arrivals.ts';
import { Children } from '../../src/bench/children.ts';
import type { Bench } from '../../src/bench/context.ts';
import { Results } from '../../src/bench/measures.ts';
import { Progress } from '../../src/bench/progress.ts';
import { Viewers } from '../../src/bench/requests.ts';
import { communityOf, WORLDS, type WorldName } from '../../src/bench/worlds.ts';
import { Acts, measureReadsDuringIngest } from '../../src/bench/writes.ts';

const COMMUNITY = communityOf({ users: 20, items: 50, follows: 40, interactions: 100 });
const VIEWERS = new Viewers(COMMUNITY);
const ACTS = new Acts(COMMUNITY, VIEWERS.user_ids);

/** Tells nobody anything. */
class Silent extends Progress {
  readonly told: string[] = [];
  override begin(): void {}
  override tell(line: string): void {
    this.told.push(line);
  }
}

/** A service that takes interactions in, and acknowledges none of them while it holds them back. */
class Service {
  private held = Promise.resolve();
  private onBody = () => {};
  /** Acknowledges whatever it has held back, and what comes. */
  release = () => {};
  private readonly server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const { length } = (await request.json()) as unknown[];
      this.onBody();
      if (this.refuses) return new Response('no', { status: 503 });
      await this.held;
      return Response.json({ accepted: length, rejected_count: 0 });
    },
  });

  readonly address = `http://localhost:${this.server.port}`;

  /** From now on it refuses what comes. */
  refuses = false;

  /** From now on it holds back. */
  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.held = promise;
    this.release = resolve;
  }

  /** Resolves when so many more bodies have come. */
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

describe('interactions that arrive while something is measured', () => {
  test('go on until they are stopped, however few were made ahead', async () => {
    await withService(async (service) => {
      const arrivals = new Arrivals(service.address, ACTS, 100, 0);
      await service.bodies(5);
      expect(await arrivals.stop()).toBeLessThanOrEqual(1);
    });
  });

  test('are told to have failed by whoever stops them', async () => {
    await withService(async (service) => {
      service.refuses = true;
      const arrivals = new Arrivals(service.address, ACTS, 100, 0);
      await service.bodies(1);
      await expect(arrivals.stop()).rejects.toThrow('503');
    });
  });

  test('count when they are acknowledged before the end', async () => {
    await withService(async (service) => {
      service.hold();
      const arrivals = new Arrivals(service.address, ACTS, 1_000, 50);
      await service.bodies(1);
      const stopped = arrivals.stop();
      service.release();
      expect(await stopped).toBe(0);
    });
  });
});

describe('reading while interactions arrive', () => {
  const NAME = 'ingest_read_p99_ratio';

  /** Reads of 1, 2 and 4 ms in turns, while a service takes interactions in that it acknowledges later. */
  async function measured(world: WorldName): Promise<{ results: Results; told: string[] }> {
    const results = new Results(world);
    const progress = new Silent();
    const children = new Children();
    await withService(async (service) => {
      let turn = 0;
      const paced = async () => {
        const contender = turn++ % 3;
        service.hold();
        if (contender > 0) await service.bodies(1);
        // Not before the reading is over.
        setImmediate(() => service.release());
        return { requests: 1, per_s: 100 - 10 * contender, latencies_ms: [2 ** contender], late_ms: [] };
      };
      const bench = {
        world: WORLDS.S,
        children,
        progress,
        results,
        viewers: VIEWERS,
        service,
        driver: { paced },
      };
      await measureReadsDuringIngest(bench as unknown as Bench, ACTS, 400);
    });
    await children.killAll();
    return { results, told: progress.told };
  }

  test('says of each pace how much was answered and how much arrived', async () => {
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

  test('is not judged, and says so, when far less arrives than is to', async () => {
    const { results, told } = await measured('M');
    expect(results.measures()).toEqual([]);
    const reason = 'left out, as far less arrived than 20,000 interactions/s';
    expect(told).toEqual([`${NAME}: ${reason}`]);
    expect(results.notes[0].lines.at(-1)).toEqual([NAME, reason]);
  });
});
