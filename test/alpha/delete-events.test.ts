import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { exported } from '../interchange/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { checkAsync } from '../support/long.ts';
import { openTestServer, START, type TestServer } from '../support/service.ts';
import {
  AlphaClient,
  eventOf,
  eventPath,
  testWallets as it,
  type SentEvent,
  token,
  wallet,
  withImported,
  withServer,
} from './support.ts';

const [ONE, TWO, THREE] = [token(1), token(2), token(3)];

const event = eventOf;
const remove = (alpha: AlphaClient, of: SentEvent) => alpha.remove(eventPath(of));

/** Wallet 1 holds two items, of which others hold one. */
async function trade(alpha: AlphaClient): Promise<void> {
  await alpha.events(event(1, ONE, 'mint', START - 90), event(1, TWO, 'buy', START - 80));
  await alpha.events(event(2, ONE, 'mint', START - 60), event(3, TWO, 'mint', START - 50));
}

describe('a deleted event', () => {
  it('leaves the other events of the wallet: what it held before the event counts again', async ({
    alpha,
  }) => {
    await trade(alpha);
    await alpha.events(event(1, ONE, 'sell', START - 40), event(1, ONE, 'like', START - 40));
    expect(await alpha.recommended(wallet(1))).toContain(ONE);
    await remove(alpha, event(1, ONE, 'sell', START - 40));
    expect(await alpha.recommended(wallet(1))).not.toContain(ONE);
  });

  it('takes its item along if nothing else is known of it', async ({ alpha }) => {
    await trade(alpha);
    await alpha.events(event(1, THREE, 'mint', START - 30));
    expect(await alpha.popularIds()).toContain(THREE);
    await remove(alpha, event(1, THREE, 'mint', START - 30));
    expect(await alpha.popularIds()).not.toContain(THREE);
    await alpha.events(event(2, THREE, 'mint', START - 20));
    expect(await alpha.popularIds()).toContain(THREE);
  });

  it('that made the item as old as it is leaves it to the first event left, or to the catalog', async ({
    alpha,
    server,
  }) => {
    await trade(alpha);
    await alpha.events(event(1, THREE, 'mint', START - 30));
    await alpha.items({ item_id: THREE, name: 'Three' });
    await remove(alpha, event(1, ONE, 'mint', START - 90));
    await remove(alpha, event(1, THREE, 'mint', START - 30));
    const { items } = server.service.alpha.community!.state;
    expect(items.created_at(items.names.find(ONE))).toBe(START - 60);
    expect(items.created_at(items.names.find(THREE))).toBe(START);
    expect(await alpha.popularIds()).toContain(THREE);
  });
});

describe('a deletion without a time', () => {
  it('removes all events of the type, but no others', async ({ alpha }) => {
    await trade(alpha);
    await alpha.events(
      event(1, ONE, 'mint'),
      event(1, ONE, 'like', START - 10),
      event(1, TWO, 'mint', START - 10),
    );
    const { body } = await remove(alpha, event(1, ONE, 'mint'));
    expect(body).toEqual({ status: 'success', message: "2 events 'mint' deleted" });
    expect(await alpha.recommended(wallet(1))).toEqual([ONE]);
    expect((await remove(alpha, event(1, ONE, 'like', START - 10))).body.message).toBe(
      "Event 'like' deleted",
    );
  });

  it('keeps away events from before it, and later ones count', async ({ alpha }) => {
    await trade(alpha);
    await remove(alpha, event(1, ONE, 'mint'));
    await alpha.events(event(1, ONE, 'mint', START - 90), event(1, ONE, 'mint', START - 91));
    expect(await alpha.recommended(wallet(1))).toContain(ONE);
    await alpha.events(event(1, ONE, 'mint', START));
    expect(await alpha.recommended(wallet(1))).not.toContain(ONE);
  });

  it('keeps away events that were sent without a time, when they are sent again with the one they got', async ({
    alpha,
  }) => {
    await trade(alpha);
    for (let sent = 0; sent < 3; sent++) await alpha.events(event(1, THREE, 'mint'));
    expect((await remove(alpha, event(1, THREE, 'mint'))).body.message).toBe("3 events 'mint' deleted");
    for (let sent = 0; sent < 3; sent++) await alpha.events(event(1, THREE, 'mint', START + sent / 1000));
    expect(await alpha.popularIds()).not.toContain(THREE);
  });

  it('is a 404 if there is no such event', async ({ alpha, server }) => {
    const none = await remove(alpha, event(1, ONE, 'mint'));
    expect([none.status, none.body.detail]).toEqual([404, `there is no event of wallet '${wallet(1)}'`]);
    expect(server.service.alpha.community).toBeUndefined();
    await trade(alpha);
    const { status, body } = await remove(alpha, event(1, ONE, 'burn'));
    expect([status, body.detail]).toEqual([
      404,
      `there is no event 'burn' of wallet '${wallet(1)}' on item '${ONE}'`,
    ]);
  });
});

test.each(['event', 'wallet'])(
  'what pages cached of a deleted %s is gone from the pages of others',
  (what) => {
    /** Wallet 50 holds what twenty others hold, one of whom holds a rare item, too. */
    const page = async (is_told: boolean, is_cached: boolean): Promise<object> => {
      let answer: object = {};
      const run = async (alpha: AlphaClient, server: TestServer): Promise<void> => {
        for (let n = 1; n <= 20; n++) await alpha.events(event(n, ONE, 'mint', START - 4_000 - n));
        await alpha.events(event(31, TWO, 'mint', START - 3_000));
        for (let n = 32; n <= 34; n++) await alpha.events(event(n, THREE, 'mint', START - 3_000));
        const removed = what === 'event' ? event(1, TWO, 'mint', START - 2_000) : undefined;
        const told = removed ?? event(40, TWO, 'mint', START - 2_000);
        if (is_told) await alpha.events(told, ...(removed ? [] : [event(40, ONE, 'mint', START - 1_900)]));
        await alpha.events(event(50, ONE, 'mint', START - 1_500));
        if (is_cached) expect((await alpha.recommended(wallet(50)))[0]).toBe(TWO);
        if (is_told && removed) await remove(alpha, removed);
        else if (is_told) await server.service.alpha.eraseWallet(wallet(40), {});
        answer = scores((await alpha.forYou(wallet(50))).body.items);
      };
      await withServer(run, { settings: { derived_lag_ms: 1 } });
      return answer;
    };
    return Promise.all([page(true, true), page(true, false), page(false, false)]).then(
      ([cached, uncached, untold]) => {
        expect(uncached).toEqual(untold);
        expect(cached).toEqual(untold);
      },
    );
  },
);

it('a deletion with a time may come before its event, and is remembered', async ({ alpha }) => {
  const { status, body } = await remove(alpha, event(1, ONE, 'mint', START - 90));
  expect([status, body]).toEqual([
    200,
    {
      status: 'success',
      message: "Event 'mint' not deleted: see warnings",
      warnings: ['there is no such event; if it arrives later, it will change nothing'],
    },
  ]);
  await trade(alpha);
  expect(await alpha.recommended(wallet(1))).toContain(ONE);
});

it('a deletion with a time far ahead of the clock deletes no other event', async ({ alpha }) => {
  await trade(alpha);
  await alpha.events(event(1, THREE, 'mint', START + 60));
  const { body } = await remove(alpha, event(1, THREE, 'mint', START + 1_000));
  expect(body.message).toBe("Event 'mint' not deleted: see warnings");
  expect(await alpha.popularIds()).toContain(THREE);
});

it('an event with the time 0 stays deleted under every time that means the same', async ({ alpha }) => {
  await trade(alpha);
  for (const [sent, deleted] of [
    [0, 0.001],
    [0.001, 0],
  ]) {
    await alpha.events(event(1, THREE, 'mint', sent));
    await remove(alpha, event(1, THREE, 'mint', deleted));
    await alpha.events(event(1, THREE, 'mint', sent));
    expect([sent, await alpha.popularIds()]).toEqual([sent, expect.not.arrayContaining([THREE])]);
  }
});

test('deletions stay after a restart, the purge removes all rows of them, and an export has neither', async () => {
  const data = temporaryFolder('deleted-events');
  const first = await openTestServer({ data });
  const alpha = new AlphaClient(first);
  await trade(alpha);
  await remove(alpha, event(1, ONE, 'mint', START - 90));
  await remove(alpha, event(1, TWO, 'buy'));
  await alpha.events(event(4, TWO, 'like', 0), event(5, TWO, 'like', 1.0004));
  for (const [n, timestamp] of [
    [4, 0.001],
    [5, 1],
  ])
    expect((await remove(alpha, event(n, TWO, 'like', timestamp))).body.message).toBe("Event 'like' deleted");
  const before = await alpha.recommended(wallet(1));
  await first.close();
  await using second = await openTestServer({ data });
  const restarted = new AlphaClient(second);
  expect(await restarted.recommended(wallet(1))).toEqual(before);
  await restarted.events(event(1, ONE, 'mint', START - 90), event(1, TWO, 'buy', START - 80));
  expect(await restarted.recommended(wallet(1))).toEqual(before);
  const kinds = new Set<string>();
  let acts = 0;
  await second.service.alpha.community!.store.replay((change) => {
    kinds.add(change.kind);
    if (change.kind === 'interaction') acts++;
  });
  expect([acts, kinds.has('act_deletion')]).toEqual([2, false]);
  await withImported(await exported(second), async (elsewhere) => {
    const before_export = await restarted.recommended(wallet(2));
    expect((await elsewhere.recommended(wallet(2))).toSorted()).toEqual(before_export.toSorted());
  });
});

/** The scores of a page by item. Items of the same score are in the order of their first arrival. */
function scores(items: { itemId: string; score: number }[]): Record<string, number> {
  return Object.fromEntries(items.map(({ itemId, score }) => [itemId, score]));
}

const TYPES = ['mint', 'buy', 'sell', 'like', 'burn'];

/** Distinct events by three wallets on three items, and which of them are deleted. */
const HISTORY = fc.uniqueArray(
  fc.record({
    n: fc.integer({ min: 1, max: 3 }),
    item: fc.integer({ min: 1, max: 3 }),
    type: fc.constantFrom(...TYPES),
    age: fc.integer({ min: 1, max: 30 }),
    is_deleted: fc.boolean(),
  }),
  { selector: ({ n, item, type, age }) => `${n} ${item} ${type} ${age}`, maxLength: 25, size: 'max' },
);

test('answers are those of a service that never got the deleted events', async () => {
  await checkAsync(4, [HISTORY, fc.boolean()], async (history, erases_wallet) => {
    const sent = (each: (typeof history)[number]) =>
      event(each.n, token(each.item), each.type, START - each.age * 600);
    const goes = ({ n, is_deleted }: (typeof history)[number]) => (erases_wallet ? n === 1 : is_deleted);
    const pages = async (alpha: AlphaClient) => {
      const of_wallets = await Promise.all([1, 2, 3, 4].map((n) => alpha.recommended(wallet(n))));
      return [scores((await alpha.popular()).body.items), ...of_wallets.map((page) => page.toSorted())];
    };
    let expected: (Record<string, number> | string[])[] = [];
    await withServer(async (alpha) => {
      await alpha.events(...history.filter((each) => !goes(each)).map(sent));
      expected = await pages(alpha);
    });
    await withServer(async (alpha, server) => {
      await alpha.events(...history.map(sent));
      if (erases_wallet) {
        if (history.some(goes))
          expect((await server.service.alpha.eraseWallet(wallet(1), {})).is_done).toBe(true);
      } else
        for (const each of history.filter(goes)) expect((await remove(alpha, sent(each))).status).toBe(200);
      expect(await pages(alpha)).toEqual(expected);
    });
  });
});
