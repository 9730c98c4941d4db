import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import { token, withServer } from '../alpha/support.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of every shape
type Json = any;

const ROOT = join(import.meta.dir, '..', '..');
const document: Json = JSON.parse(readFileSync(join(ROOT, 'openapi', 'openapi.json'), 'utf8'));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'doc', components: document.components });

/** What the document says against a value of one of its schemas. */
function faultsOf(schema: string, value: unknown): unknown[] {
  ajv.validate({ $ref: `doc#/components/schemas/${schema}` }, value);
  return ajv.errors ?? [];
}

/** The record of the README's tour. */
function recordOfReadme(): Json {
  const [, record] = /\$ALPHA\/items" -H[^{]*-d '(\{.*?\})'$/ms.exec(
    readFileSync(join(ROOT, 'README.md'), 'utf8'),
  )!;
  return JSON.parse(record);
}

describe('what the document says of the catalog', () => {
  test.each([
    ["the README's", recordOfReadme()],
    ['of a price of which little is known', { item_id: token(1), prices: [{ value_usd_cents: 5 }] }],
    ['with nulls', { item_id: token(1), prices: [{ value_usd_cents: 5, marketplace_id: null }], name: null }],
  ])('holds for a record and the page with it: %s', (_, record) =>
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
});
