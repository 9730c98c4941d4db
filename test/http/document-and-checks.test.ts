import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import { forFile, openTestServer, START } from '../support/service.ts';
import { KEY } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of every shape
type Json = any;

const document: Json = JSON.parse(
  readFileSync(join(import.meta.dir, '..', '..', 'openapi', 'openapi.json'), 'utf8'),
);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'doc', ...document });

const server = await forFile(openTestServer());

/** Bodies that are accepted, by path. */
const BODIES: Record<string, Json> = {
  '/api/tokens': { user_id: 'ann', ttl_seconds: 60 },
  '/v2/community/impressions': { user_id: 'ann', item_ids: ['a'] },
  '/v2/community/records/read': { users: ['ann'], items: ['a'] },
  '/v2/community/users/recommended': { user_id: 'ann' },
};

/** Values that some fields accept. Each is tried in every field. */
const VALUES: unknown[] = [
  ...[null, true, 0, 1, -1, 0.5, 24, 101, 2 ** 53, START],
  ...['', 'ann', 'strong', 'a\0b', 'x'.repeat(256), 'x'.repeat(257), 'x'.repeat(6_001)],
  ...['2026-02-30T00:00:00Z', '2026-01-01'],
  ...[[], ['ann'], [''], [7], [0.5], [null], Array.from({ length: 1_001 }, (_, at) => `${at}`)],
  ...[{}, { a: 1 }],
];

/** What only the service can know of values that have the form of the document. */
const BEYOND_FORM: Record<string, RegExp> = {
  '/cursor': /cursor/,
  '/user_id': /viewer token/,
  '/page_id': /page_id/,
  '/timestamp': /the last 24 hours|date/,
};

for (const [path, accepted] of Object.entries(BODIES)) {
  const pointer = path.replaceAll('/', '~1');
  const allows = ajv.getSchema(`doc#/paths/${pointer}/post/requestBody/content/application~1json/schema`) as (
    value: unknown,
  ) => boolean;
  const { schema } = document.paths[path].post.requestBody.content['application/json'];
  const whole = JSON.stringify(schema).match(/#\/components\/schemas\/(\w+)/)![1];

  test.each(Object.keys(document.components.schemas[whole].properties))(
    `POST ${path} accepts the values of %s that the document allows, and no others`,
    async (field) => {
      for (const value of VALUES) {
        const body = { ...accepted, [field]: value };
        const answer = await server.call('POST', path, body, KEY);
        const refused = answer.status === 400;
        const shown = `${JSON.stringify(value).slice(0, 60)}: ${answer.body.detail}`;
        // That null counts as absent is shown for records only.
        if (refused === !allows(body) || (value === null && !refused)) continue;
        expect(shown).toMatch(BEYOND_FORM[`/${field}`] ?? /^$/);
      }
    },
  );
}
