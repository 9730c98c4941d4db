import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkAsync } from '../support/long.ts';
import { forFile, openTestServer, START, type TestAnswer } from '../support/service.ts';
import { AlphaClient, contract, eventOf, nft, token, wallet } from './support.ts';

const server = await forFile(openTestServer());
const alpha = new AlphaClient(server);
await alpha.events(eventOf(1, token(1), 'mint'));

/** A 400 in the form of spec 7. `detail` states the fault. */
function expectRefused({ status, headers, body }: TestAnswer, word: RegExp | string): void {
  expect(status).toBe(400);
  expect(headers.get('content-type')).toContain('application/problem+json');
  expect(body.detail).toMatch(word);
  expect(JSON.stringify(body)).not.toMatch(/sqlite|\.ts:|\/work\/| at async /);
}

/** Invalid values of `top_k` in the query. */
const BAD_TOP_K = [
  'top_k=0',
  'top_k=-1',
  'top_k=501',
  'top_k=99999999999999999999',
  'top_k=1.5',
  'top_k=1e1',
  'top_k=0x10',
  'top_k=+5',
  'top_k=%2B5',
  'top_k=5%20',
  'top_k=05',
  'top_k=',
  'top_k',
  'top_k=ten',
  'top_k=NaN',
  'top_k=null',
  'top_k=٥',
  'top_k=1&top_k=2',
  'top_k=1_0',
];

describe('spec 7 faults of feeds', () => {
  test.each(BAD_TOP_K)('are reported: %s', async (query) => {
    expectRefused(await alpha.popular(`?${query}`), /top_k.*from 1 to 500/);
    expectRefused(await alpha.forYou(wallet(1), `?${query}`), /top_k.*from 1 to 500/);
  });

  test.each([
    'abc',
    '0x',
    '0x123',
    wallet(1).slice(0, -1),
    `${wallet(1)}0`,
    wallet(1).slice(2),
    wallet(1).replace('a', 'g'),
    `0X${wallet(1).slice(2)}`,
    `${wallet(1)}%20`,
    `%00${wallet(1)}`,
    '%E0%A4%A',
    'vitalik.eth',
    token(1),
    '..%2Fpopular',
  ])('name a wallet that is none: %s', async (of_wallet) => {
    expectRefused(await alpha.forYou(of_wallet), /wallet/);
  });

  test('ignore other parameters', async () => {
    expect((await alpha.popular('?page=2&top_k=1&x')).status).toBe(200);
    expect((await alpha.popular('?TOP_K=0')).status).toBe(200);
    expect((await alpha.popular('?top_k=%35')).status).toBe(200);
  });

  test('of the path are a 404, of the method a 405', async () => {
    expect((await server.call('GET', '/base/feed/trending')).status).toBe(404);
    expect((await server.call('GET', '/base/feed/for-you')).status).toBe(404);
    expect((await server.call('POST', '/base/feed/popular', {})).status).toBe(405);
    expect((await server.call('GET', '/base/events')).status).toBe(405);
  });
});

const GOOD = eventOf(1, token(1), 'mint');

/** What the OpenAPI document does not tell of an event. `http/transport/bad-values.test.ts` sends what it tells. */
const BAD_EVENTS: [string, unknown, RegExp][] = [
  ['no body', undefined, /wallet_address.*required/],
  ['an empty body', '', /wallet_address.*required/],
  ['no JSON', '{"wallet_address":', /JSON/],
  ['broken UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), /UTF-8/],
  ['a list', [GOOD], /object/],
  ['a text', '"mint"', /object/],
  ['null', 'null', /wallet_address.*required/],
  [
    'an event type in capitals',
    { ...GOOD, event_type: 'MINT' },
    /mint, buy, sell, swap, transfer, bid, list/,
  ],
  ['milliseconds', { ...GOOD, timestamp: START * 1000 }, /milliseconds/],
  ['a time as numeric text', { ...GOOD, timestamp: String(START) }, /ISO 8601/],
  ['a time ahead of the clock', { ...GOOD, timestamp: START + 61 }, /60 s ahead/],
];

/** Identifiers that are shown completely when they are refused, because the fault is often at the end. */
const BAD_ITEM_IDS = [
  contract(1),
  `ethereum.${contract(1)}`,
  'base.0x1',
  `${token(1)}.`,
  ...['-1', '0x1f', '007', String(2n ** 256n), '1.1'].map((token_id) => `${token(1)}.${token_id}`),
  token(2).slice(0, -1),
  token(2).replace('base', 'c'.repeat(64)),
];

describe('an error shows a rejected identifier completely:', () => {
  test.each(BAD_ITEM_IDS)('%s', async (item_id) => {
    const told = `expected base.<contract> or base.<contract>.<token_id>, the contract being 0x and 40 hexadecimal digits and the token_id a decimal number of at most 256 bits without leading zeros; got "${item_id}"`;
    expectRefused(await alpha.event({ ...GOOD, item_id }), told);
    expect((await alpha.items({ item_id })).body.rejected[0].detail).toBe(`item_id: ${told}`);
  });

  test('an address of a wallet', async () => {
    const wallet_address = wallet(1).slice(0, -1);
    const told = `a wallet address, 0x and 40 hexadecimal digits; got "${wallet_address}"`;
    expectRefused(await alpha.event({ ...GOOD, wallet_address }), told);
  });

  test('but not a long text of another form', async () => {
    const { body } = await alpha.items({ item_id: 'x'.repeat(10_000) });
    expect(body.rejected[0].detail).toEndWith(`got "${'x'.repeat(186)}…"`);
  });
});

describe('spec 7 faults of events', () => {
  test.each(BAD_EVENTS)('are reported: %s', async (_, body, word) => {
    const seq = server.service.alpha.community!.state.seq;
    expectRefused(await alpha.event(body as object), word);
    expect(server.service.alpha.community!.state.seq).toBe(seq);
  });

  test('are all listed', async () => {
    const { body } = await alpha.event({ wallet_address: 1, item_id: 2, event_type: 3, timestamp: {} });
    const paths = body.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['/wallet_address', '/item_id', '/event_type', '/timestamp']);
  });

  test('another media type is a 415, and a body that is too large is a 413', async () => {
    const text = JSON.stringify(GOOD);
    const sent = await server.call('POST', '/base/events', text, { 'content-type': 'text/plain' });
    expect(sent.status).toBe(415);
    expect(sent.body.detail).toMatch(/application\/json/);
    const large = await alpha.event({ ...GOOD, note: 'x'.repeat(17 * 1024 * 1024) });
    expect(large.status).toBe(413);
    expect(large.body.detail).toMatch(/bytes/);
  });

  test('of random bodies always result in a 400', async () => {
    const field = fc.constantFrom('wallet_address', 'item_id', 'event_type');
    await checkAsync(300, [field, fc.jsonValue()], async (name, value) => {
      // Random values are never an address of 40 digits or one of the event types.
      expectRefused(await alpha.event({ ...GOOD, [name]: value }), name);
    });
    await checkAsync(200, [fc.jsonValue()], async (value) => {
      expect((await alpha.event(value as object)).status).toBe(400);
    });
    await checkAsync(200, [fc.string({ maxLength: 60 })], async (text) => {
      expect([400, 404]).toContain((await alpha.forYou(encodeURIComponent(text))).status);
      expect((await alpha.popular(`?top_k=x${encodeURIComponent(text)}`)).status).toBe(400);
    });
  });
});

describe('faults of catalog records', () => {
  const record = { item_id: token(1), name: 'Demo' };

  test('require a key with the scope', async () => {
    expect((await server.call('POST', '/base/items', record)).status).toBe(401);
  });

  test.each([
    [{ ...record, decimals: '18' }, 'decimals: expected an integer from 0 to 255; got "18"'],
    [{ ...record, supply: '1e6' }, /supply/],
    [{ ...record, prices: [{ value_usd_string: 1.1 }] }, /value_usd_string/],
    [{ ...record, chain: 'ethereum' }, /chain/],
    [{ item_id: `${token(1)}.1`, attributes: [{ trait_type: 'a' }] }, /attributes\/0\/value/],
    ['x', /object/],
  ])('are told: %j', async (sent, word) => {
    const { status, body } = await alpha.items(JSON.stringify(sent));
    expect([status, body.rejected_count]).toEqual([400, 1]);
    expect(body.detail).toMatch(word);
  });

  const TOO_LARGE =
    /record: expected at most 65536 characters of JSON text together with what the catalog already holds of the item; got \d{5}$/;

  test('that exceed the limit together with stored metadata are reported, and nothing changes', async () => {
    const item_id = nft(7, 1);
    const trait = (at: number) => ({ trait_type: `trait ${at}`, value: 'x'.repeat(500) });
    const attributes = Array.from({ length: 115 }, (_, at) => trait(at));
    const described = { item_id, name: 'One', description: 'y'.repeat(9_000) };
    expect((await alpha.items({ item_id, attributes })).body.accepted).toBe(1);
    const { body } = await alpha.items([described, { item_id: nft(7, 2), name: 'Two' }]);
    expect(body).toMatchObject({ accepted: 1, rejected_count: 1 });
    expect(body.rejected).toEqual([{ index: 0, detail: expect.stringMatching(TOO_LARGE) }]);
    expect(await server.service.alpha.catalogued([item_id, nft(7, 2)])).toEqual([
      { attributes },
      { name: 'Two' },
    ]);
    // Smaller values make room, and records of one body are merged as well.
    const again = await alpha.items([{ item_id, attributes: [] }, described, { item_id, attributes }]);
    expect(again.body).toMatchObject({ accepted: 2, rejected: [{ index: 2 }] });
    expect((await alpha.items({ item_id, attributes })).status).toBe(400);
  });
});
