import { afterEach, describe, expect, test } from 'bun:test';
import { testMetadataProvider } from 'feedloom/plugin/testing';
import http from '../../../plugins/integrations/http.ts';
import type { Metadata } from '../../../src/plugin/index.ts';
import { token } from '../../alpha/support.ts';
import { ThirdParty } from '../../alpha/third-party.ts';
import { builtIn } from '../built-in.ts';

let party: ThirdParty | undefined;

afterEach(async () => {
  await party?.stop();
  party = undefined;
});

/** Calls a provider whose service gives the answer. */
async function ask(
  answer: ThirdParty['answer'],
  item_ids = [token(1)],
  key = '',
): Promise<(Metadata | Error)[]> {
  party = new ThirdParty(answer);
  return http.describe!({ url: party.start(), key_header: 'x-api-key', key })(item_ids);
}

testMetadataProvider(builtIn, 'http', { refuses: [{ url: 5 }, { address: 'https://tokens.example' }] });

describe('the provider http', () => {
  test('requests each item by its identifier, with the key', async () => {
    const known = await ask(
      (item_id) => Response.json({ name: `of ${item_id}` }),
      [token(1), `${token(2)}.7`],
      'k',
    );
    expect(known).toEqual([{ name: `of ${token(1)}` }, { name: `of ${token(2)}.7` }]);
    expect(party!.asked).toEqual([
      { item_id: token(1), key: 'k' },
      { item_id: `${token(2)}.7`, key: 'k' },
    ]);
  });

  test('maps the field names of common services, and keeps every decimal', async () => {
    const prices = [
      {
        marketplace_id: 'm',
        marketplace_name: 'M',
        value_usd_cents: 112,
        value_usd_string: '1.12',
        value_usd_string_high_precision: '1.120345678901234567890123',
        liquidity_usd_string: 1048576.5,
      },
    ];
    const [fungible] = await ask(() =>
      Response.json({ data: { symbol: 'T', decimals: 18, total_supply: 21000000, prices, rank: 3 } }),
    );
    expect(fungible).toEqual({
      symbol: 'T',
      decimals: 18,
      supply: '21000000',
      prices: [{ ...prices[0], liquidity_usd_string: '1048576.5' }],
    } as Metadata);
    await party!.stop();
    const [nft] = await ask(() =>
      Response.json({
        name: 'Meadow 7',
        image: 'https://example.com/7.png',
        collection: { name: 'Meadows' },
        extra_metadata: { attributes: [{ trait_type: 'sky', value: 'blue' }, { trait_type: 'no value' }, 3] },
        contract: { deployed_by: '0xc1' },
      }),
    );
    expect(nft).toEqual({
      name: 'Meadow 7',
      image_url: 'https://example.com/7.png',
      collection_name: 'Meadows',
      attributes: [{ trait_type: 'sky', value: 'blue' }],
      creator: '0xc1',
    });
  });

  test('writes every number as a decimal', async () => {
    const texts: [number, string][] = [
      [1e-7, '0.0000001'],
      [1.25e-9, '0.00000000125'],
      [-1.5e-10, '-0.00000000015'],
      [0.000001, '0.000001'],
      [0, '0'],
      [12.5, '12.5'],
      [1e21, '1000000000000000000000'],
      [1.25e22, '12500000000000000000000'],
    ];
    for (const [value, text] of texts) {
      const [known] = await ask(() =>
        Response.json({ supply: value, prices: [{ marketplace_id: 'm', value_usd_string: value }] }),
      );
      expect(known).toMatchObject({ supply: text, prices: [{ value_usd_string: text }] });
      await party!.stop();
    }
  });

  test('returns no metadata for an item that is not found', async () => {
    expect(await ask(() => new Response('no', { status: 404 }))).toEqual([{}]);
  });

  test('returns an error for an item without an answer, and fails if no item has an answer', async () => {
    const broken = (item_id: string) =>
      item_id === token(1) ? new Response('', { status: 500 }) : Response.json({ name: 'ok' });
    expect(await ask(broken, [token(1), token(2)])).toEqual([new Error('it answered 500'), { name: 'ok' }]);
    await party!.stop();
    expect(ask(broken, [token(1)])).rejects.toThrow('it answered 500');
  });

  test.each<[string, () => Response, RegExp]>([
    ['no JSON', () => new Response('<html>', { headers: { 'content-type': 'application/json' } }), /JSON/],
    ['a redirect', () => Response.redirect('http://127.0.0.1:1/'), /302/],
    ['too much', () => new Response(`{"name":"${'x'.repeat(300_000)}"}`), /more than/],
    ['an endless stream', () => new Response(endless()), /more than/],
    ['another refusal', () => new Response('', { status: 422 }), /422/],
  ])('returns an error for an item whose answer is %s', async (_, answer, reason) => {
    const [entry] = await ask(answer);
    expect(entry).toBeInstanceOf(Error);
    expect((entry as Error).message).toMatch(reason);
  });

  test.each([429, 500, 503])('fails if the service answers %i', async (status) => {
    expect(ask(() => new Response('', { status }))).rejects.toThrow(`it answered ${status}`);
  });

  test.each<[string, unknown]>([
    ['a list', []],
    ['a text', 'x'],
    ['null', null],
    ['a number', 3],
    ['nested nonsense', { data: [[{}]] }],
  ])('makes nothing of %s', async (_, body) => {
    expect(await ask(() => Response.json(body))).toEqual([{}]);
  });
});

function endless(): ReadableStream {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)) });
}
