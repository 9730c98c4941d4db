import { describe, expect, test } from 'bun:test';
import { ManualTimers } from '../support/manual-timers.ts';
import type { TestServer } from '../support/service.ts';
import { type AlphaClient, contract, eventOf, testWallets as it, nft, token, withServer } from './support.ts';
import { ThirdParty } from './third-party.ts';

/** Numbers without an exact binary representation. */
const PRICE = {
  marketplace_id: 'm1',
  marketplace_name: 'Market',
  value_usd_cents: 12,
  value_usd_string: '0.1234567890123456789',
  value_usd_string_high_precision: '0.12345678901234567890123456789012345678',
  liquidity_usd_string: '1000000000000000000000.10',
};

async function metadataOf(alpha: AlphaClient): Promise<Record<string, unknown>[]> {
  const { status, body } = await alpha.popular();
  expect(status).toBe(200);
  return body.items.map(({ metadata }: { metadata: Record<string, unknown> }) => metadata);
}

describe('the catalog', () => {
  it('adds metadata to tokens and NFTs, with null for unknown values', async ({ alpha }) => {
    const { status, body } = await alpha.items([
      {
        item_id: token(1),
        name: 'Demo',
        symbol: 'D',
        decimals: 18,
        supply: '340282366920938463463374607431768211456',
      },
      { item_id: nft(2, 7), name: 'Meadow 7', attributes: [{ trait_type: 'sky', value: 3 }], colour: 'red' },
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'success', accepted: 2, rejected_count: 0 });
    expect(body.warnings).toEqual(["unknown field 'colour' was ignored (first in record 1)"]);
    await alpha.events(eventOf(1, token(1), 'mint'));
    expect(await metadataOf(alpha)).toEqual([
      {
        name: 'Demo',
        symbol: 'D',
        decimals: 18,
        chain: 'base',
        prices: null,
        holder_count: null,
        supply: '340282366920938463463374607431768211456',
        created_date: null,
      },
      {
        name: 'Meadow 7',
        description: null,
        image_url: null,
        collection_name: null,
        attributes: [{ trait_type: 'sky', value: 3 }],
        creator: null,
        chain: 'base',
        contract_address: contract(2),
        token_id: '7',
      },
    ]);
  });

  it('keeps all decimals of prices, and fields that a later record leaves out', async ({ alpha }) => {
    await alpha.items({ item_id: token(1), name: 'Demo', prices: [PRICE] });
    await alpha.items({ item_id: token(1), symbol: 'D', prices: null });
    const [metadata] = await metadataOf(alpha);
    expect(metadata.prices).toEqual([PRICE]);
    expect([metadata.name, metadata.symbol]).toEqual(['Demo', 'D']);
  });

  it('returns warnings for unknown fields within prices and attributes', async ({ alpha }) => {
    const ignored = (name: string, at: number, field = '') =>
      `${field && `${field}: `}unknown field '${name}' was ignored (first in record ${at})`;
    const named = await alpha.items([
      {
        item_id: token(1),
        colour: 'red',
        prices: [PRICE, { ...PRICE, usd: 1, 'a/b': 2 }],
        attributes: [{ x: 1 }],
      },
      { item_id: nft(1, 1), attributes: [{ trait_type: 'sky', value: 3, display_type: 'number' }] },
    ]);
    expect(named.body).toMatchObject({ accepted: 2, rejected: [] });
    expect(named.body.warnings).toEqual([
      ignored('usd', 0, 'prices'),
      ignored('a/b', 0, 'prices'),
      ignored('colour', 0),
      ignored('attributes', 0),
      ignored('display_type', 1, 'attributes'),
    ]);
    const parts = Array.from({ length: 130 }, (_, at) => `usd_${at}`);
    const prices = parts.map((part) => ({ ...PRICE, [part]: 1 }));
    const many = await alpha.items({ item_id: token(1), prices });
    expect(many.body.warnings).toEqual([
      ...parts.slice(0, 100).map((part) => ignored(part, 0, 'prices')),
      'further warnings are not listed',
    ]);
  });

  it('names an unknown field of all prices once, so that other warnings fit', async ({ alpha }) => {
    const prices = Array(20).fill({ ...PRICE, usd: 1 });
    const records = Array.from({ length: 6 }, (_, at) => ({ item_id: token(at), prices }));
    const { body } = await alpha.items([...records, { item_id: token(6), nmae: 'Demo' }]);
    expect(body.warnings).toEqual([
      "prices: unknown field 'usd' was ignored (first in record 0)",
      "unknown field 'nmae' was ignored (first in record 6)",
    ]);
  });

  test.each([{}, { usd: 1 }, { value_usd_cents: null }])('rejects an empty price: %j', (nothing) =>
    withServer(async (alpha) => {
      const { status, body } = await alpha.items({ item_id: token(1), prices: [PRICE, nothing] });
      expect(status).toBe(400);
      expect(body.rejected[0].detail).toBe(
        'prices/1: expected at least one of marketplace_id, marketplace_name, value_usd_cents, value_usd_string, value_usd_string_high_precision, liquidity_usd_string',
      );
    }),
  );

  it('rejects fields of an NFT that contradict its identifier', async ({ alpha }) => {
    const contract_address = contract(2).toUpperCase().replace('0X', '0x');
    const record = { item_id: nft(2, 7), contract_address, token_id: '7' };
    const { body } = await alpha.items([
      record,
      { ...record, contract_address: contract(3) },
      { ...record, token_id: '8' },
    ]);
    expect(body.accepted).toBe(1);
    expect(body.rejected).toEqual([
      {
        index: 1,
        detail: `contract_address: expected "${contract(2)}", as item_id says; got "${contract(3)}"`,
      },
      { index: 2, detail: 'token_id: expected "7", as item_id says; got "8"' },
    ]);
  });

  it('accepts a repeated record without writing', async ({ alpha, server }) => {
    const record = { item_id: token(1), name: 'Demo', prices: [PRICE] };
    await alpha.items([record, record]);
    const { seq } = server.service.alpha.community!.state;
    expect((await alpha.items(record)).body.accepted).toBe(1);
    expect(server.service.alpha.community!.state.seq).toBe(seq);
  });
});

/** A server with a metadata service. Its waiting time ends when `timers` say so. */
async function withThirdParty(
  answer: ThirdParty['answer'],
  run: (alpha: AlphaClient, party: ThirdParty, server: TestServer, timers: ManualTimers) => Promise<void>,
): Promise<void> {
  const party = new ThirdParty(answer);
  const timers = new ManualTimers();
  const settings = { metadata_provider: 'http', metadata_url: party.start(), metadata_key: 'secret-key' };
  try {
    await withServer(
      async (alpha, server) => {
        await alpha.items({ item_id: token(1), name: 'Of the catalog', symbol: 'CAT' });
        await alpha.events(eventOf(1, token(1), 'mint'));
        await run(alpha, party, server, timers);
      },
      { settings, opening: { timers, monotonicMs: () => 0 } },
    );
  } finally {
    await party.stop();
  }
}

describe('a metadata service', () => {
  test('is called once, and the catalog fills in missing fields', () =>
    withThirdParty(
      () => Response.json({ name: 'Of the third party', prices: [PRICE] }),
      async (alpha, party) => {
        for (let time = 0; time < 3; time++) {
          const [metadata] = await metadataOf(alpha);
          expect(metadata.name).toBe('Of the third party');
          expect(metadata.symbol).toBe('CAT');
          expect(metadata.prices).toEqual([PRICE]);
        }
        expect(party.asked).toEqual([{ item_id: token(1), key: 'secret-key' }]);
      },
    ));

  test('may return an empty price, which the catalog rejects', () =>
    withThirdParty(
      () => Response.json({ prices: [{ usd: 1 }, PRICE] }),
      async (alpha) => {
        expect((await alpha.items({ item_id: token(1), prices: [{ usd: 1 }, PRICE] })).status).toBe(400);
        const [{ prices }] = await metadataOf(alpha);
        expect(prices).toEqual([expect.objectContaining({ value_usd_cents: null }), PRICE]);
      },
    ));

  test('that is slow does not delay answers, and its result is used when it has arrived', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    await withThirdParty(
      () => promise,
      async (alpha, party, server, timers) => {
        for (let time = 0; time < 2; time++) {
          const set = timers.count;
          const page = metadataOf(alpha);
          while (timers.count === set) await turn();
          await timers.pass(0.05);
          expect((await page)[0].name).toBe('Of the catalog');
        }
        while (party.asked.length === 0) await turn();
        expect(party.asked.length).toBe(1);
        resolve(Response.json({ name: 'At last' }));
        // The fetcher caches the result as soon as the socket has delivered it.
        while ((await server.service.alpha.fetcher!.describe([token(1)]))(token(1))?.name !== 'At last')
          await turn();
        expect((await metadataOf(alpha))[0].name).toBe('At last');
      },
    );
  });

  test.each<[string, () => Response]>([
    ['fails', () => new Response('', { status: 503 })],
    ['answers what is no JSON', () => new Response('<html>')],
    [
      'returns values of wrong types',
      () => Response.json({ name: 7, symbol: ['x'], decimals: '18', prices: 'free', supply: {} }),
    ],
    ['answers a list', () => Response.json([1, 2])],
    ['answers far too much', () => new Response('x'.repeat(3_000_000))],
    ['sends a name that never ends', () => Response.json({ name: 'x'.repeat(200_000) })],
  ])('that %s is as good as none', (_, answer) =>
    withThirdParty(answer, async (alpha) => {
      const [metadata] = await metadataOf(alpha);
      expect(metadata.name).toBe('Of the catalog');
      expect(metadata.symbol).toBe('CAT');
      expect(metadata.decimals).toBe(null);
    }),
  );

  test('that is unavailable is not called after some failures', async () => {
    const settings = { metadata_provider: 'http', metadata_url: 'http://127.0.0.1:1/{item_id}' };
    await withServer(
      async (alpha, server) => {
        for (let item = 0; item < 60; item++) await alpha.events(eventOf(1, token(item), 'mint'));
        for (let time = 0; time < 3; time++) expect((await metadataOf(alpha)).length).toBe(25);
        expect(JSON.stringify(server.log)).not.toContain('secret');
      },
      { settings },
    );
  });

  test('gets only a few concurrent requests', () =>
    withThirdParty(
      async () => {
        await turn();
        return Response.json({ name: 'x' });
      },
      async (alpha, party) => {
        for (let item = 0; item < 100; item++) await alpha.events(eventOf(1, token(item), 'mint'));
        await alpha.popular('?top_k=500');
        expect(party.most_under_way).toBeLessThanOrEqual(32);
        expect(party.most_under_way).toBeGreaterThan(1);
      },
    ));
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
