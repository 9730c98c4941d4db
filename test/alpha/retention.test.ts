import { expect, test } from 'bun:test';
import { Rounds } from '../support/rounds.ts';
import { openTestServer } from '../support/service.ts';
import { AlphaClient, token, wallet } from './support.ts';

const DAY = 86_400;

test('tokens leave when nobody has dealt with them for as long as the setting says, however old they are', async () => {
  const rounds = new Rounds();
  const opening = { retires_items: true, timers: rounds };
  const server = await openTestServer({ settings: { retention_days: 10 }, opening });
  try {
    const alpha = new AlphaClient(server);
    const buy = (of_wallet: number, of_token: number) => ({
      wallet_address: wallet(of_wallet),
      item_id: token(of_token),
      event_type: 'buy',
    });
    /** One round for the posts, and one for the tokens. */
    const retire = async () => {
      await rounds.retire();
      await rounds.retire();
    };
    const popular = async () =>
      (await alpha.popular()).body.items.map(({ itemId }: { itemId: string }) => itemId).sort();
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
    // What the wallets hold of it is known as before: it is recommended to others only.
    expect(await alpha.recommended(wallet(2))).toEqual([]);
    expect(state?.interactions.by_user.size).toBe(3);
    server.clock.advance(9 * DAY);
    await retire();
    expect(await popular()).toEqual([]);
    expect(state?.items.names.count).toBe(0);
  } finally {
    await server.close();
  }
});
