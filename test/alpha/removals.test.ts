import { describe, expect, test } from 'bun:test';
import { exported, importInto, jsonl, withFolder } from '../interchange/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openTestServer, START } from '../support/service.ts';
import {
  AlphaClient,
  csv,
  eventOf,
  eventPath,
  testWallets as it,
  token,
  wallet,
  withImported,
  withServer,
} from './support.ts';

/** What removals of events, wallets and tokens have in common, and those of wallets and tokens. */

const [ONE, TWO, THREE] = [token(1), token(2), token(3)];
const DAY = 86_400;
const mint = (n: number, item_id: string, timestamp?: number) => eventOf(n, item_id, 'mint', timestamp);

/** Wallet 1 holds all three items, and many others hold one of them. */
async function trade(alpha: AlphaClient): Promise<void> {
  await alpha.events(mint(1, ONE, START - 90), mint(1, TWO, START - 80), mint(1, THREE, START - 70));
  await alpha.events(mint(2, ONE, START - 60), mint(3, ONE, START - 50), mint(2, TWO, START - 40));
}

/** Paths that remove the mint of an item by the nth wallet. */
const PATHS: [string, (n: number, item_id: string, timestamp: number) => string][] = [
  ['event', (n, item_id, timestamp) => eventPath(mint(n, item_id, timestamp))],
  ['type of events', (n, item_id) => eventPath(mint(n, item_id))],
  ['wallet', (n) => `wallets/${wallet(n)}`],
];

describe.each(PATHS)('a removed %s', (what, pathOf) => {
  it('no longer makes an item popular', async ({ alpha }) => {
    for (let n = 1; n <= 6; n++) await alpha.events(mint(n, ONE, START - n));
    await alpha.events(mint(7, TWO, START - 5), mint(8, TWO, START - 5));
    expect((await alpha.popularIds())[0]).toBe(ONE);
    expect(await alpha.recommended(wallet(1))).not.toContain(ONE);
    for (let n = 1; n <= 5; n++) {
      const { status, body } = await alpha.remove(pathOf(n, ONE, START - n));
      const message = what === 'wallet' ? `wallet '${wallet(n)}' erased` : "Event 'mint' deleted";
      expect([status, body]).toEqual([200, { status: 'success', message }]);
    }
    expect((await alpha.popularIds())[0]).toBe(TWO);
    expect(await alpha.recommended(wallet(1))).toContain(ONE);
    expect(await alpha.recommended(wallet(6))).not.toContain(ONE);
  });

  it('does not come back when it is sent again, the answer does not tell, and later events count', async ({
    alpha,
    server,
  }) => {
    await trade(alpha);
    await alpha.remove(pathOf(1, ONE, START - 90));
    const again = await alpha.event(mint(1, ONE, START - 90));
    const { status, body } = await alpha.event(mint(4, ONE, START - 90));
    expect(again).toMatchObject({ status, body });
    expect(await alpha.recommended(wallet(1))).toContain(ONE);
    if (what !== 'event') server.clock.advance(1);
    await alpha.events(mint(1, ONE, what === 'event' ? START - 89 : START + 1));
    expect(await alpha.recommended(wallet(1))).not.toContain(ONE);
  });

  it('may be sent again 90 days later', async ({ alpha, server }) => {
    await trade(alpha);
    await alpha.remove(pathOf(1, ONE, START - 90));
    server.clock.advance(91 * DAY);
    const { status, body } = await alpha.event(mint(1, ONE, START - 90));
    expect([status, body.warnings]).toEqual([200, undefined]);
    expect(await alpha.recommended(wallet(1))).not.toContain(ONE);
  });

  it('keeps away its own event, also ahead of the clock', async ({ alpha, server }) => {
    await trade(alpha);
    const events = [0, 0.001, 30, 60].map((ahead, at) => ({ n: 10 + at, time: START + ahead }));
    const send = (later = 0) => alpha.events(...events.map(({ n, time }) => mint(n, token(n), time + later)));
    await send();
    for (const { n, time } of events) await alpha.remove(pathOf(n, token(n), time));
    await send();
    server.clock.advance(100);
    await send();
    const ids = events.map(({ n }) => token(n));
    const shown = async () => (await alpha.popularIds()).filter((id) => ids.includes(id)).toSorted();
    expect(await shown()).toEqual([]);
    await send(0.001);
    expect(await shown()).toEqual(ids);
  });

  it('does not come back by an import', async ({ alpha, server }) => {
    await trade(alpha);
    await alpha.items({ item_id: THREE, name: 'Three' });
    await alpha.remove(pathOf(1, ONE, START - 90));
    await alpha.remove(`items/${THREE}`);
    const files = {
      'events.csv': csv([1, ONE, 'mint', START - 90]),
      'tokens.jsonl': jsonl([{ item_id: THREE, name: 'Three' }]),
    };
    await withFolder(files, async (folder) => {
      const { changes, lines } = await importInto(server, folder);
      expect(changes).toBe(0);
      const of_event =
        what === 'wallet' ? `before wallet '${wallet(1)}' was erased` : 'this event was deleted';
      expect(lines.join('\n')).toContain(`${of_event}: it changed nothing`);
      expect(lines.join('\n')).toContain('was deleted: this record changed nothing');
    });
    expect(await alpha.recommended(wallet(1))).toContain(ONE);
    expect(await alpha.popularIds()).not.toContain(THREE);
  });
});

const OF_EVENT = eventPath(mint(1, ONE, START - 90));
test.each([OF_EVENT, `wallets/${wallet(1)}`, `items/${ONE}`])('a removal needs a key: %s', (path) =>
  withServer(async (alpha, server) => {
    await trade(alpha);
    expect((await server.call('DELETE', `/base/${path}`, undefined, {})).status).toBe(401);
    expect((await alpha.remove(path, 'fl_wrong')).status).toBe(401);
    expect(await alpha.recommended(wallet(1))).toEqual([]);
    expect(await alpha.popularIds()).toContain(ONE);
  }),
);

const EVENT = { wallet_address: wallet(1), item_id: ONE, event_type: 'mint' };
const none = (of: string) => `there is no ${of}`;
test.each<[string, number, string]>([
  [eventPath(EVENT), 404, none(`event of wallet '${wallet(1)}'`)],
  [`wallets/${wallet(1)}`, 404, none(`wallet '${wallet(1)}'`)],
  [`items/${ONE}`, 404, ''],
  ['wallets/0x12', 400, '40 hexadecimal digits'],
  ['items/eth.0x12', 400, ''],
  [`items/${ONE}?timestamp=soon`, 400, ''],
  ['events', 400, 'must be given once in the query'],
  [eventPath({ ...EVENT, wallet_address: '0x12' }), 400, '40 hexadecimal digits'],
  [eventPath({ ...EVENT, item_id: 'eth.0x12' }), 400, 'base.<contract>'],
  [eventPath({ ...EVENT, event_type: 'steal' }), 400, 'mint'],
  [eventPath({ ...EVENT, timestamp: 'soon' }), 400, 'timestamp'],
])('a removal of what is unknown or malformed names it: %s', (path, status, detail) =>
  withServer(async (alpha, server) => {
    const before = await alpha.remove(path);
    expect([before.status, before.body.detail]).toEqual([status, expect.stringContaining(detail)]);
    expect(server.service.alpha.community).toBeUndefined();
    await alpha.events(mint(2, TWO, START - 9));
    expect((await alpha.remove(path)).status).toBe(status);
  }),
);

describe('an erased wallet', () => {
  it('is unknown at once: it holds nothing, and its pages are those of a new wallet', async ({ alpha }) => {
    await trade(alpha);
    const { status, body } = await alpha.remove(`wallets/${wallet(1).toUpperCase().replace('X', 'x')}`);
    expect([status, body]).toEqual([200, { status: 'success', message: `wallet '${wallet(1)}' erased` }]);
    expect(await alpha.recommended(wallet(1))).toEqual(await alpha.popularIds());
    expect((await alpha.recommended(wallet(1))).toSorted()).toEqual([ONE, TWO].toSorted());
    const again = await alpha.remove(`wallets/${wallet(1)}`);
    expect([again.status, again.body.detail]).toEqual([404, `there is no wallet '${wallet(1)}'`]);
  });

  test.each([-5, 0, 30])(
    'comes back by its event from %d s after the present if the erasure is older',
    (seconds) =>
      withServer(async (alpha) => {
        await trade(alpha);
        const of = mint(4, token(4), START + seconds);
        await alpha.events(of);
        await alpha.remove(`wallets/${wallet(4)}?timestamp=${START - 10}`);
        expect(await alpha.popularIds()).not.toContain(token(4));
        await alpha.events(of);
        expect(await alpha.popularIds()).toContain(token(4));
      }),
  );

  it('is forgotten also if the erasure comes first and is dated', async ({ alpha }) => {
    const { status, body } = await alpha.remove(`wallets/${wallet(1)}?timestamp=${START - 10}`);
    const warning = `there is no wallet '${wallet(1)}'; a version from before this deletion will change nothing`;
    expect([status, body.warnings]).toEqual([200, [warning]]);
    await alpha.events(mint(1, ONE, START - 90));
    expect(await alpha.popularIds()).toEqual([]);
  });
});

describe('a deleted token', () => {
  it('is on no page, and the wallets that held it keep what else they hold', async ({ alpha }) => {
    await trade(alpha);
    expect((await alpha.remove(`items/${ONE}`)).status).toBe(200);
    expect((await alpha.popularIds()).toSorted()).toEqual([TWO, THREE].toSorted());
    expect(await alpha.recommended(wallet(2))).toEqual([THREE]);
    expect((await alpha.remove(`items/${ONE}`)).status).toBe(404);
  });

  it('comes back neither by events nor by catalog records, but by "revive": true', async ({ alpha }) => {
    await trade(alpha);
    await alpha.items({ item_id: ONE, name: 'One' });
    await alpha.remove(`items/${ONE}`);
    await alpha.remove(`wallets/${wallet(1)}`);
    const late = await alpha.event(mint(1, ONE, START - 90));
    expect(late.body).toEqual((await alpha.event(mint(5, ONE, START - 90))).body);
    expect(late.body.warnings).toEqual([
      `an act is from before item '${ONE}' was deleted: it changed nothing`,
    ]);
    await alpha.events(mint(4, ONE));
    const ignored = await alpha.items({ item_id: ONE, name: 'One', created_at: START });
    expect(ignored).toMatchObject({ status: 200, body: { accepted: 1 } });
    expect(ignored.body.warnings).toEqual([
      `item '${ONE}' was deleted: this record changed nothing; send "revive": true to bring it back (first in record 0)`,
    ]);
    expect(await alpha.popularIds()).not.toContain(ONE);
    await alpha.items({ item_id: ONE, symbol: 'ONE', revive: true });
    const { body } = await alpha.popular();
    const revived = body.items.find(({ itemId }: { itemId: string }) => itemId === ONE);
    expect([revived.metadata.symbol, revived.metadata.name]).toEqual(['ONE', null]);
    expect((await alpha.items({ item_id: ONE, name: 'Uno' })).body.warnings).toBeUndefined();
  });
});

test('removals stay after a restart, and an export has neither', async () => {
  const data = temporaryFolder('wallet-removals');
  const first = await openTestServer({ data });
  const alpha = new AlphaClient(first);
  await trade(alpha);
  await alpha.remove(`wallets/${wallet(1)}`);
  await alpha.remove(`items/${TWO}`);
  const before = await alpha.popularIds();
  await first.close();
  await using second = await openTestServer({ data });
  const restarted = new AlphaClient(second);
  expect(await restarted.popularIds()).toEqual(before);
  expect((await restarted.event(mint(5, TWO, START - 90))).body.warnings).toHaveLength(1);
  expect((await restarted.event(mint(1, ONE, START - 90))).status).toBe(200);
  expect(await restarted.recommended(wallet(1))).toEqual(before);
  await withImported(await exported(second), async (elsewhere) => {
    expect(await elsewhere.popularIds()).toEqual(before);
  });
});
