import { expect } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock } from '../../src/clock.ts';
import { AlphaClient, type SentEvent, token, wallet } from '../alpha/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { longTest } from '../support/long.ts';
import { freshDatabase } from '../support/postgres.ts';
import { openTestServer, START, type TestServer, type TestServiceOptions } from '../support/service.ts';
import { run } from './run.ts';

const root = temporaryFolder('wallet-rights');

const [ONE, TWO, THREE] = [token(1), token(2), token(3)];
const DELETED: SentEvent = event(2, TWO, 'mint', START - 60);
const OF_ERASED = event(1, ONE, 'mint', START - 90);

function event(n: number, item_id: string, event_type: string, timestamp: number): SentEvent {
  return { wallet_address: wallet(n), item_id, event_type, timestamp };
}

/** A wallet is erased, an event and a token are deleted, and others stay. */
async function fill(server: TestServer): Promise<void> {
  const alpha = new AlphaClient(server);
  await alpha.events(OF_ERASED, event(1, THREE, 'mint', START - 80), event(2, ONE, 'mint', START - 70));
  await alpha.events(DELETED, event(3, TWO, 'mint', START - 50), event(3, THREE, 'like', START - 40));
  const wallets = server.service.alpha;
  await wallets.deleteEvents(DELETED as never);
  await wallets.eraseWallet(wallet(1), {});
  await wallets.deleteItem(THREE, {});
}

async function pages(alpha: AlphaClient): Promise<string[][]> {
  const of_wallets = await Promise.all([1, 2, 3].map((n) => alpha.recommended(wallet(n))));
  return [(await alpha.recommended(wallet(9))).toSorted(), ...of_wallets.map((page) => page.toSorted())];
}

async function withPlace<T>(
  options: TestServiceOptions,
  work: (alpha: AlphaClient) => Promise<T>,
): Promise<T> {
  await using server = await openTestServer({ ...options, clock: new ManualClock(START) });
  return await work(new AlphaClient(server));
}

const EXPECTED = [[ONE, TWO], [ONE, TWO], [TWO], [ONE]];

longTest(
  'data with erased wallets and deleted events passes verify, and can be moved, before and after the purge',
  async () => {
    const data = join(root, 'data');
    const unpurged = join(root, 'unpurged');
    const server = await openTestServer({ data, clock: new ManualClock(START) });
    await fill(server);
    cpSync(data, unpurged, { recursive: true });
    await server.close();
    for (const folder of [unpurged, data]) {
      const database_url = await freshDatabase();
      for (const { place, flags } of [
        { place: { data: folder }, flags: ['--data', folder] },
        { place: { settings: { database_url } }, flags: ['--database-url', database_url] },
      ]) {
        if ('settings' in place) {
          const moved = await run('move', '--from', folder, '--to', database_url);
          expect([moved.code, moved.stderr]).toEqual([0, expect.any(String)]);
        }
        const { code, stdout } = await run('verify', ...flags);
        expect([folder, code, code === 0 ? '' : stdout]).toEqual([folder, 0, '']);
      }
      await withPlace({ settings: { database_url } }, async (alpha) => {
        expect(await pages(alpha)).toEqual(EXPECTED);
        await alpha.events(DELETED, OF_ERASED);
        expect(await pages(alpha)).toEqual(EXPECTED);
      });
      const purged = await run('verify', '--database-url', database_url);
      expect([purged.code, purged.code === 0 ? '' : purged.stdout]).toEqual([0, '']);
    }
  },
);
