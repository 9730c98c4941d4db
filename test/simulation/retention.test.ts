import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { freshSeed, seededRandom, systemClock } from '../../src/clock.ts';
import { temporaryFolder } from '../support/folder.ts';
import { times } from '../support/long.ts';
import { Rounds } from '../support/rounds.ts';
import { openTestService } from '../support/service.ts';
import { audit, highestSeq, STOPPED } from './support/audit.ts';
import { Client, Disconnected } from './support/client.ts';
import { killAll, startService } from './support/service-process.ts';
import { expectSoundCheckpoint } from './support/sound-checkpoint.ts';

/** As in `kill.test.ts`. */
const KILLS = Number(process.env.FEEDLOOM_SIMULATION_KILLS ?? times(1, 5));
const SEED = Number(process.env.FEEDLOOM_SIMULATION_SEED ?? freshSeed());
const DAY = 86_400;
const USERS = 5;
const ITEMS = 40;
/** Checkpoints are written continuously. */
const ENV = {
  FEEDLOOM_RETENTION_DAYS: '10',
  FEEDLOOM_CHECKPOINT_CHANGES: '1',
  FEEDLOOM_CHECKPOINT_SECONDS: '0',
};

afterAll(killAll);
const folder = temporaryFolder('retention');

/** Posts and likes old and young items, and reads pages, until the service is killed. */
class Sender {
  /** Acknowledged young items, with the numbers of their acknowledged likes. */
  readonly young = new Map<string, number>();
  readonly old = new Set<string>();
  /** Likes without an answer. */
  readonly unanswered = new Set<string>();
  private sent = 0;

  constructor(private readonly random: () => number) {}

  /** @param kill called when the planned number of bodies is acknowledged */
  async drive(client: Client, bodies: number, kill: () => Promise<void>): Promise<void> {
    let acknowledged = 0;
    let killed: Promise<void> | undefined;
    while (killed === undefined) {
      const items = this.items();
      const ids = items.map(({ item_id }) => item_id);
      try {
        expect((await client.post('items', items)).status).toBe(200);
        for (const { item_id, is_old } of items) {
          if (is_old) this.old.add(item_id);
          else this.young.set(item_id, 0);
        }
        for (const item_id of ids) this.unanswered.add(item_id);
        const user_id = `user-${Math.floor(this.random() * USERS)}`;
        const likes = ids.map((item_id) => ({ user_id, item_id, event_type: 'like' }));
        const liking = client.post('interactions', likes);
        if (++acknowledged > bodies) killed = kill();
        expect((await liking).status).toBe(200);
        for (const item_id of ids) {
          this.unanswered.delete(item_id);
          if (this.young.has(item_id)) this.young.set(item_id, 1);
        }
        await client.page('popular', { user_id: 'reader', top_k: 5, impression_count: 5 });
      } catch (error) {
        if (!(error instanceof Disconnected)) throw error;
        break;
      }
    }
    await (killed ?? kill());
  }

  private items() {
    return Array.from({ length: ITEMS }, () => {
      const is_old = this.random() < 0.5;
      const created_at = systemClock.now() - (is_old ? 20 : 1) * DAY;
      return {
        item_id: `item-${this.sent++}`,
        author_id: 'ann',
        created_at,
        text: 'a text',
        language: 'en',
        is_old,
      };
    });
  }
}

test(
  `after ${KILLS} kills old items are retired, and all other records are kept (seed ${SEED})`,
  async () => {
    const data = join(folder, 'data');
    const random = seededRandom(SEED);
    const sender = new Sender(random);
    for (let kill = 0; kill < KILLS; kill++) {
      const service = await startService(data, { env: ENV });
      await sender.drive(new Client(service.address), Math.floor(random() * 12), () => service.crash());
      expect(audit(data, { purged_until: highestSeq(data), broken_off: true })).toEqual([]);
      await expectSoundCheckpoint(data);
    }
    const service = await startService(data, { env: ENV });
    const client = new Client(service.address);
    // The previous process may have retired all items, so this one may have nothing to report.
    for (const item_id of sender.old) while ((await client.get('items', item_id)).status !== 404);
    for (const [item_id, likes] of sender.young) {
      const { status, body } = await client.get<{ likes_count: number }>('items', item_id);
      expect(status).toBe(200);
      if (!sender.unanswered.has(item_id)) expect([item_id, body.likes_count]).toEqual([item_id, likes]);
    }
    expect(sender.old.size).toBeGreaterThan(0);
    expect(sender.young.size).toBeGreaterThan(0);
    await service.stop();
    const rounds = new Rounds();
    const opened = await openTestService({
      data,
      clock: undefined,
      settings: { retention_days: 10 },
      opening: { clock: systemClock, retires_items: true, timers: rounds },
    });
    await rounds.purge();
    const names = new Map<number, string>();
    const described: string[] = [];
    await opened.service.store.replay((change) => {
      if (change.kind === 'name' && change.space === 'item') names.set(change.key, change.id);
      if (change.kind === 'item') described.push(names.get(change.item) ?? 'unnamed');
    });
    await opened.close();
    // A like of a retired item has only named it again.
    expect(described.sort()).toEqual([...sender.young.keys()].sort());
    expect(audit(data, STOPPED)).toEqual([]);
  },
  20_000 * (KILLS + 2),
);
