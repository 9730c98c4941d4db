import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import { nft, token, withServer } from '../alpha/support.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of every shape
type Json = any;

const ROOT = join(import.meta.dir, '..', '..');
const document: Json = JSON.parse(readFileSync(join(ROOT, 'openapi', 'openapi.json'), 'utf8'));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'doc', components: document.components });

/** What the document says against a value of one of its schemas. */
function faultsOf(schema: string, value: unknown): unknown[] {
  ajv.validate(`doc#/components/schemas/${schema}`, value);
  return ajv.errors ?? [];
}

/** The record of the tour in docs/wallets.md. */
function recordOfTour(): Json {
  const [, record] = /\$ALPHA\/items" -H[^{]*-d '(\{.*?\})'$/ms.exec(
    readFileSync(join(ROOT, 'docs', 'wallets.md'), 'utf8'),
  )!;
  return JSON.parse(record);
}

describe('the schema of the catalog', () => {
  test.each([
    ['of docs/wallets.md', recordOfTour()],
    ['of a price of which little is known', { item_id: token(1), prices: [{ value_usd_cents: 5 }] }],
    ['with nulls', { item_id: token(1), prices: [{ value_usd_cents: 5, marketplace_id: null }], name: null }],
  ])('accepts a record and the page with it: %s', (_, record) =>
    withServer(async (alpha) => {
      expect(faultsOf('CatalogRecord', record)).toEqual([]);
      expect((await alpha.items(record)).body).toEqual({
        status: 'success',
        accepted: 1,
        rejected_count: 0,
        rejected: [],
      });
      const { body } = await alpha.popular('?top_k=500');
      expect(body.items).toHaveLength(1);
      expect(body.items[0].metadata.prices).toHaveLength(1);
      expect(faultsOf('AlphaFeed', body)).toEqual([]);
    }),
  );

  const within: object[] = [
    { name: 'n'.repeat(512) },
    { name: '😀'.repeat(512) },
    { symbol: '', created_date: 'long ago', chain: 'base' },
    { decimals: 0 },
    { decimals: 255 },
    { holder_count: Number.MAX_SAFE_INTEGER },
    { supply: '1'.repeat(100) },
    { supply: 21_000_000 },
    { prices: [{ value_usd_cents: -1, value_usd_string: '-0.10', marketplace_name: 'n'.repeat(512) }] },
    { item_id: nft(1, 2), attributes: Array.from({ length: 1001 }, () => ({ trait_type: 'sky', value: 1 })) },
    { item_id: nft(1, 1), description: 'd'.repeat(10_000), image_url: 'u'.repeat(8192) },
    { item_id: nft(1, 1), attributes: [{ trait_type: 'sky', value: 'v'.repeat(512) }] },
    { hidden: true, created_at: '2026-01-01T00:00:00Z' },
  ];
  const beyond: object[] = [
    { name: 'n'.repeat(513) },
    { name: 5 },
    { chain: 'solana' },
    { decimals: -1 },
    { decimals: 256 },
    { decimals: 1.5 },
    { holder_count: -1 },
    { holder_count: 2 ** 53 },
    { supply: '1'.repeat(101) },
    { supply: '1.5' },
    { supply: -1 },
    { prices: [{}] },
    { prices: [{ value_usd_cents: 1.5 }] },
    { prices: [{ value_usd_string: '1e3' }] },
    { prices: [{ value_usd_string: 1.5 }] },
    { prices: [{ liquidity_usd_string: '.5' }] },
    { prices: [{ marketplace_name: 'n'.repeat(513) }] },
    { item_id: nft(1, 1), description: 'd'.repeat(10_001) },
    { item_id: nft(1, 1), image_url: 'u'.repeat(8193) },
    { item_id: nft(1, 1), attributes: [{ trait_type: 'sky' }] },
    { item_id: nft(1, 1), attributes: [{ trait_type: 'sky', value: 'v'.repeat(513) }] },
    { item_id: nft(1, 1), attributes: [{ trait_type: 'sky', value: null }] },
    { hidden: 1 },
    { item_id: 'base.1' },
  ];

  test.each([
    ['taken', within],
    ['refused', beyond],
  ])('has the limits by which the service decides that records are %s', (verdict, records) =>
    withServer(async (alpha) => {
      for (const given of records) {
        const record = { item_id: token(1), ...given };
        const by_document = faultsOf('CatalogRecord', record).length === 0 ? 'taken' : 'refused';
        const { status } = await alpha.items(record);
        const by_service = status === 200 ? 'taken' : 'refused';
        const told = JSON.stringify(given).slice(0, 80);
        expect({ told, by_document, by_service }).toEqual({
          told,
          by_document: verdict,
          by_service: verdict,
        });
      }
      expect(faultsOf('AlphaFeed', (await alpha.popular()).body)).toEqual([]);
    }),
  );
});
