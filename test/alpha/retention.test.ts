import { describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../src/clock.ts';
import { exported, importInto, withFolder } from '../interchange/support.ts';
import { Rounds } from '../support/rounds.ts';
import { openTestServer, START, type TestServer } from '../support/service.ts';
import { AlphaClient, eventOf, token, wallet } from './support.ts';

const DAY = 86_400;

interface Retaining {
  server: TestServer;
  alpha: AlphaClient;
  /** One round for posts and one for tokens. */
  retire(): Promise<void>;
  popular(): Promise<string[]>;
}

/** A server that retires tokens after ten days, when a test requests it. */
async function withRetention<T>(
  work: (retaining: Retaining) => Promise<T>,
  clock = new ManualClock(START),
  data?: string,
): Promise<T> {
  const rounds = new Rounds();
  const opening = { retires_items: true, writes_checkpoints: true, timers: rounds };
  const server = await openTestServer({ settings: { retention_days: 10 }, opening, clock, data });
  const alpha = new AlphaClient(server);
  const retire = async () => {
    await rounds.retire();
    await rounds.retire();
  };
  const popular = async () => (await alpha.popularIds()).sort();
  try {
    return await work({ server, alpha, retire, popular });
  } finally {
    await server.close();
  }
}

const event = (of_wallet: number, event_type: string, of_token: number) =>
  eventOf(of_wallet, token(of_token), event_type);
const buy = (of_wallet: number, of_token: number) => event(of_wallet, 'buy', of_token);

test('tokens are retired by their last event, at any age', async () => {
  await withRetention(async ({ server, alpha, retire, popular }) => {
    await alpha.events(buy(1, 1), buy(2, 1), buy(1, 2), buy(2, 2));
    await alpha.items([
      { item_id: token(3), created_at: server.clock.now() - 50 * DAY, metadata: { name: 'three' } },
    ]);
    await retire();
    expect(await popular()).toEqual([token(1), token(2), token(3)]);
    server.clock.advance(9 * DAY);
    await alpha.events(buy(3, 1));
    server.clock.advance(2 * DAY);
    await retire();
    expect(await popular()).toEqual([token(1)]);
    const state = server.service.alpha.community?.state;
    // Holdings are kept, so the token is recommended only to other wallets.
    expect(await alpha.recommended(wallet(2))).toEqual([]);
    expect(state?.interactions.by_user.size).toBe(3);
    server.clock.advance(9 * DAY);
    await retire();
    expect(await popular()).toEqual([]);
    expect(state?.items.names.count).toBe(0);
  });
});

describe('giving away a token', () => {
  test.each(['sell', 'transfer', 'burn'])('by %s keeps the token and its holders', (event_type) =>
    withRetention(async ({ server, alpha, retire, popular }) => {
      await alpha.events(buy(1, 1), buy(2, 1), buy(1, 2));
      for (const seller of [3, 4, 5]) {
        server.clock.advance(6 * DAY);
        await alpha.events(event(seller, event_type, 1));
        await retire();
      }
      expect(await popular()).toEqual([token(1)]);
      expect(await alpha.recommended(wallet(2))).toEqual([]);
      // A late event says nothing about the time since.
      const late = server.clock.now() - 3 * DAY;
      await alpha.events({ ...event(6, event_type, 1), timestamp: late });
      server.clock.advance(8 * DAY);
      await retire();
      expect(await popular()).toEqual([token(1)]);
      server.clock.advance(3 * DAY);
      await retire();
      expect(await popular()).toEqual([]);
    }),
  );

  /** Tokens that were bought eleven days ago. The first was given away since. */
  async function begin({ server, alpha }: Retaining): Promise<void> {
    await alpha.events(buy(1, 1), buy(2, 1), buy(1, 2));
    server.clock.advance(9 * DAY);
    await alpha.events(event(2, 'transfer', 1));
    server.clock.advance(2 * DAY);
  }

  async function expectFirstAlone(retaining: Retaining): Promise<void> {
    const { alpha, retire, popular } = retaining;
    // The first round begins at the start and may still be running. Both tokens are checked in one round.
    await retire();
    while (retaining.server.service.alpha.community!.retention!.retired === 0) await Bun.sleep(1);
    expect(await popular()).toEqual([token(1)]);
    expect(await alpha.recommended(wallet(1))).toEqual([]);
  }

  test.each(['the log', 'a checkpoint'])('counts after a start from %s', async (from) => {
    const root = mkdtempSync(join(tmpdir(), 'feedloom-tokens-'));
    const [data, copied] = [join(root, 'data'), join(root, 'copy')];
    const clock = new ManualClock(START);
    const start = (work: (retaining: Retaining) => Promise<void>, folder: string) =>
      withRetention(work, clock, folder);
    try {
      await start(async (retaining) => {
        await begin(retaining);
        if (from === 'a checkpoint') await retaining.server.service.alpha.community!.checkpoints!.writeNow();
        cpSync(data, copied, { recursive: true });
      }, data);
      await start(async (retaining) => {
        expect(retaining.server.service.alpha.community!.loaded.checkpoint_seq > 0).toBe(
          from === 'a checkpoint',
        );
        await expectFirstAlone(retaining);
      }, copied);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  test('counts after an import of an export', () =>
    withRetention(async (original) => {
      await begin(original);
      const { server } = original;
      await withFolder(await exported(server), (folder) =>
        withRetention(async (elsewhere) => {
          await importInto(elsewhere.server, folder, true);
          await expectFirstAlone(elsewhere);
        }, server.clock),
      );
    }));
});

test.each([
  ['an empty folder is known since the times in its files', false],
  ['data that are there is known since the latest time stored there', true],
])('what an import brings into %s', (_, had_data) =>
  withRetention(async ({ server, alpha, retire, popular }) => {
    if (had_data) await alpha.events(buy(1, 1));
    const lines = [
      'wallet_address,item_id,event_type,timestamp',
      `${wallet(2)},${token(2)},buy,${START - 700 * DAY}`,
      `${wallet(2)},${token(3)},buy,${START - DAY}`,
    ];
    await withFolder({ 'events.csv': lines.join('\n') }, (folder) => importInto(server, folder, true));
    await retire();
    expect(await popular()).toEqual(had_data ? [token(1), token(2), token(3)] : [token(3)]);
    server.clock.advance(10 * DAY + 1);
    await retire();
    expect(await popular()).toEqual([]);
  }),
);
