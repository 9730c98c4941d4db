import { describe, expect, spyOn, test } from 'bun:test';
import { ManualClock } from '../../src/clock.ts';
import type { Service } from '../../src/service.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openTestServer, START } from '../support/service.ts';
import {
  AlphaClient,
  contract,
  eventOf,
  testWallets as it,
  nft,
  token,
  wallet,
  withServer,
} from './support.ts';

function mintsOf({ alpha }: Service, item_id: string): number {
  const { items } = alpha.community!.state;
  return items.shares_count(items.names.find(item_id));
}

describe('spec 4.3 events', () => {
  it('are answered as specified', async ({ alpha }) => {
    for (const event_type of [
      'mint',
      'buy',
      'sell',
      'swap',
      'transfer',
      'bid',
      'list',
      'burn',
      'like',
      'view',
    ]) {
      const { status, body } = await alpha.event(eventOf(1, token(1), event_type));
      expect(status).toBe(200);
      expect(body).toEqual({ status: 'success', message: `Event '${event_type}' recorded` });
    }
  });

  it('change the next page of that wallet and the popular page', async ({ alpha }) => {
    await alpha.events(
      eventOf(1, token(1), 'mint'),
      eventOf(1, token(2), 'mint'),
      eventOf(2, token(1), 'mint'),
      eventOf(3, token(3), 'mint'),
      eventOf(5, token(3), 'mint'),
      eventOf(6, token(3), 'mint'),
    );
    expect(await alpha.recommended(wallet(4))).toEqual([token(3), token(1), token(2)]);
    // A wallet with the holdings of wallet 1 gets the other items of wallet 1.
    expect(await alpha.recommended(wallet(2))).toEqual([token(2), token(3)]);
    await alpha.events(eventOf(2, token(2), 'mint'));
    expect(await alpha.recommended(wallet(2))).toEqual([token(3)]);
  });

  test.each(['sell', 'burn', 'transfer'])('show an item again after %s', (release) =>
    withServer(async (alpha) => {
      const of_wallet = wallet(1);
      for (const acquire of ['mint', 'buy', 'swap']) {
        await alpha.events({ wallet_address: of_wallet, item_id: token(1), event_type: acquire });
        expect(await alpha.recommended(of_wallet)).toEqual([]);
        await alpha.events({ wallet_address: of_wallet, item_id: token(1), event_type: release });
        expect(await alpha.recommended(of_wallet)).toEqual([token(1)]);
      }
    }),
  );

  it('that neither acquire nor release an item do not change the feed', async ({ alpha }) => {
    for (const event_type of ['bid', 'list', 'like', 'view']) {
      await alpha.events(eventOf(1, token(1), event_type));
      expect(await alpha.recommended(wallet(1))).toEqual([token(1)]);
    }
  });

  it('count by their timestamps, not by their arrival', async ({ alpha }) => {
    const one = { wallet_address: wallet(1), item_id: token(1) };
    await alpha.events(
      { ...one, event_type: 'sell', timestamp: START - 10 },
      { ...one, event_type: 'mint', timestamp: START - 20 },
    );
    expect(await alpha.recommended(wallet(1))).toEqual([token(1)]);
    await alpha.events({ ...one, event_type: 'buy', timestamp: '2025-12-31T23:59:55Z' });
    expect(await alpha.recommended(wallet(1))).toEqual([]);
  });

  it('are rejected if so many had no timestamp that the next would be more than 60 s ahead', async ({
    alpha,
    server,
  }) => {
    const event = eventOf(1, token(1), 'mint');
    const minted = () => mintsOf(server.service, token(1));
    await alpha.events(event);
    for (let batch = 0; batch < 60; batch++) {
      await Promise.all(Array.from({ length: 1_000 }, () => server.service.alpha.recordEvent(event)));
    }
    const { status, body } = await alpha.event(event);
    expect([status, minted()]).toEqual([400, 60_001]);
    expect(body.detail).toContain('send it with its timestamp, or later');
    await alpha.events({ ...event, timestamp: START - 5 }, { ...event, item_id: token(2) });
    server.clock.advance(0.001);
    await alpha.events(event);
    expect(minted()).toBe(60_003);
  });

  it('of a failed commit do not shift times of later events, and other events stay in order', async ({
    alpha,
    server,
  }) => {
    const mint = (n: number) => eventOf(n, token(n), 'mint');
    await alpha.events(mint(1), mint(1));
    const { ingest, state, store } = server.service.alpha.community!;
    const submit = spyOn(store, 'submit').mockRejectedValue(new Error('the store is gone'));
    const lost = [mint(2), mint(2), mint(2), mint(1)];
    await Promise.allSettled(lost.map((event) => server.service.alpha.recordEvent(event)));
    submit.mockRestore();
    ingest.failed();
    // Gets the keys that the second wallet and its token had.
    await alpha.events(mint(3), mint(1));
    const { by_user } = state.interactions;
    const times = (n: number) => {
      const user = state.users.names.find(wallet(n));
      const positions = Array.from({ length: by_user.length(user) }, (_, at) => by_user.start(user) + at);
      return positions.map((at) => by_user.timestamp(at));
    };
    expect(times(3)).toEqual([START]);
    expect(times(1)).toEqual([START, START + 0.001, START + 0.003]);
  });

  it('with the same timestamp count once, and each event without a timestamp counts', async ({
    alpha,
    server,
  }) => {
    const event = eventOf(1, token(1), 'mint');
    const minted = () => mintsOf(server.service, token(1));
    for (let time = 0; time < 3; time++) await alpha.events({ ...event, timestamp: START - 5 });
    expect(minted()).toBe(1);
    for (let time = 0; time < 3; time++) await alpha.events(event);
    expect(minted()).toBe(4);
    await Promise.all([
      alpha.event(event),
      alpha.event(event),
      alpha.event({ ...event, timestamp: START - 5 }),
    ]);
    expect(minted()).toBe(6);
  });

  it('treat wallets and contracts in any case as the same', async ({ alpha, server }) => {
    const event = eventOf(1, token(1), 'mint', START);
    const upper = (text: string) => text.replace(/[a-f]/g, (digit) => digit.toUpperCase());
    await alpha.events(event, {
      ...event,
      wallet_address: upper(wallet(1)),
      item_id: `base.${upper(contract(1))}`,
    });
    const { state } = server.service.alpha.community!;
    expect([state.users.size, state.items.size]).toEqual([1, 1]);
    expect(state.items.shares_count(0)).toBe(1);
  });

  it('return warnings for unknown fields', async ({ alpha }) => {
    const event = { wallet_address: wallet(1), item_id: token(1), event_type: 'mint', price: 3 };
    const { status, body } = await alpha.event(event);
    expect(status).toBe(200);
    expect(body.warnings).toEqual(["unknown field 'price' was ignored"]);
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`extra_${at}`, 1]));
    const told = await alpha.event({ ...event, ...many });
    expect(told.body.warnings).toHaveLength(101);
    expect(told.body.warnings.at(-1)).toBe('further warnings are not listed');
  });

  test('survive a restart, and an item keeps the age of its first event', async () => {
    const dir = temporaryFolder('alpha');
    const clock = new ManualClock(START);
    const one = eventOf(1, nft(1, 1), 'mint');
    const pages = async (alpha: AlphaClient) => {
      const answers = [await alpha.forYou(wallet(1)), await alpha.forYou(wallet(2)), await alpha.popular()];
      return answers.map(({ body }) => body);
    };
    const first = await openTestServer({ data: dir, clock });
    const alpha = new AlphaClient(first);
    await alpha.events({ ...one, timestamp: START - 100 }, { ...one, timestamp: START - 300 }, one);
    await alpha.events({ ...one, wallet_address: wallet(2), item_id: nft(1, 2) });
    const before = await pages(alpha);
    await first.close();
    await using second = await openTestServer({ data: dir, clock });
    expect(await pages(new AlphaClient(second))).toEqual(before);
    const { items } = second.service.alpha.community!.state;
    expect(items.created_at(items.names.find(nft(1, 1)))).toBe(START - 100);
    // The same moment, and yet another event.
    await new AlphaClient(second).events(one);
    expect(items.shares_count(items.names.find(nft(1, 1)))).toBe(4);
  });
});
