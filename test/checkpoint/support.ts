import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { ManualClock, seededRandom } from '../../src/clock.ts';
import type { Store } from '../../src/store/store.ts';
import { Contention } from '../simulation/support/contention.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { openTestService, START, type TestService, type TestServiceOptions } from '../support/service.ts';

/** A data folder with services, one after another, that write checkpoints on request of a test. */
export class Place {
  readonly root = mkdtempSync(join(tmpdir(), 'feedloom-checkpoints-'));
  data = join(this.root, 'data');
  readonly clock = new ManualClock(START);
  readonly log: string[] = [];
  readonly logger = pino({ base: undefined }, { write: (line: string) => this.log.push(line) });
  private opened: TestService[] = [];
  private readonly timers = new WeakMap<TestService, ManualTimers>();

  /** @param timers control automatic writing and background work */
  async open(options: TestServiceOptions = {}, timers = new ManualTimers()): Promise<TestService> {
    const { data, clock, logger: log } = this;
    const opening = { writes_checkpoints: true, timers, log };
    const service = await openTestService({ data, clock, opening, ...options });
    this.opened.push(service);
    this.timers.set(service, timers);
    return service;
  }

  /** Lets the background work of a service build all lists. */
  async warm(running: TestService): Promise<void> {
    const { feeds } = running.service;
    const stop = feeds.upkeep.warmUp([]);
    while (feeds.upkeep.lists.warming) await this.timers.get(running)?.pass(0.001);
    stop();
  }

  async close(service: TestService): Promise<void> {
    this.opened = this.opened.filter((each) => each !== service);
    await service.close();
  }

  async end(): Promise<void> {
    for (const each of this.opened) await each.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  contend({ service }: TestService, seed: number, rounds = 12): Promise<void> {
    return new Contention(service, this.clock, seededRandom(seed)).run(rounds);
  }

  /** The number of log entries that contain this text. */
  said(text: string): number {
    return this.log.filter((line) => line.includes(text)).length;
  }
}

export async function write({ service }: TestService): Promise<void> {
  await service.checkpoints!.writeNow();
}

export const checkpointsIn = (folder: string) =>
  readdirSync(folder).filter((name) => name.includes('.checkpoint'));

/** The changes stored after a `seq`, which a start replays. */
export async function foldedAfter(store: Pick<Store, 'replay'>, after: number): Promise<number> {
  const { changes } = await store.replay(() => {}, { after });
  return changes;
}
