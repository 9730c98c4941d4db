import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nft, token, withServer } from '../../alpha/support.ts';
import { REPOSITORY } from '../../support/feedloom.ts';
import * as documented from '../documented.ts';

/** What the document says against a value of one of its schemas. */
const faultsOf = (schema: string, value: unknown): unknown[] =>
  documented.faultsOf(documented.DOCUMENT.components.schemas[schema], value);

/** The record of the tour in docs/wallets.md. */
function recordOfTour(): documented.Json {
  const [, record] = /\$ALPHA\/items" -H[^{]*-d '(\{.*?\})'$/ms.exec(
    readFileSync(join(REPOSITORY, 'docs', 'wallets.md'), 'utf8'),
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
  test('has the limits within which the service takes records', () =>
    withServer(async (alpha) => {
      for (const given of within) {
        const record = { item_id: token(1), ...given };
        expect(faultsOf('CatalogRecord', record)).toEqual([]);
        expect([given, (await alpha.items(record)).status]).toEqual([given, 200]);
      }
      expect(faultsOf('AlphaFeed', (await alpha.popular()).body)).toEqual([]);
    }));
});
