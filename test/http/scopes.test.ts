import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPES, type Scope } from '../../src/store/keys.ts';
import { editAt } from '../support/edit.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { forFile, openTestServer, START, type TestAnswer } from '../support/service.ts';

/** Every documented operation that needs a key, with the scopes of which it says it needs one. */

interface Documented {
  security?: Record<string, string[]>[];
}

interface Document {
  paths: Record<string, Record<string, Documented>>;
}

const DOCUMENT = readFileSync(join(REPOSITORY, 'openapi', 'openapi.json'), 'utf8');
const OPERATIONS = Object.entries((JSON.parse(DOCUMENT) as Document).paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([name, { security = [] }]) => {
    if (security.length === 0) return [];
    const method = name.toUpperCase();
    return [{ method, path, scopes: security.flatMap(({ bearer = [] }) => bearer) as Scope[] }];
  }),
);
const NEEDING_SCOPE = OPERATIONS.filter(({ scopes }) => scopes.length > 0).map((operation) => ({
  ...operation,
  needed: operation.scopes.join(' or '),
}));
/** Operations that a client app may call with a viewer token. */
const IS_FOR_VIEWERS =
  /\/(?:impressions|(?:feeds|casts\/feed)\/[\w-]+(?:\/explain)?|users\/recommended|(?:users|items)\/(?:\{id\}\/)?similar)$/;
/** By the scopes that it lacks: a key with all others. */
const keys = new Map<string, string>();
const server = await forFile(openTestServer());
const { store } = server.service;
for (const { scopes, needed } of NEEDING_SCOPE) {
  if (keys.has(needed)) continue;
  const others = SCOPES.filter((scope) => !scopes.includes(scope));
  keys.set(needed, (await store.keys.create('acme', others, editAt(START))).key);
}
await server.keys.refresh();
const token = (await server.post('/api/tokens', { user_id: 'ann', ttl_seconds: 60 })).body.token;

function ask(key: string, method: string, path: string): Promise<TestAnswer> {
  // The parameters choose the read at paths that are also those of records, such as `/items/similar`.
  const address = `${path.replace(/\{\w+\}/g, 'x')}?item_id=x&user_id=x`;
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  return server.call(method, address, body, { authorization: `Bearer ${key}` });
}

test('there are documented operations for every scope', () => {
  expect(new Set(NEEDING_SCOPE.flatMap(({ scopes }) => scopes))).toEqual(new Set(SCOPES));
});

describe('a key without the documented scope is refused', () => {
  for (const { method, path, needed } of NEEDING_SCOPE) {
    test(`at ${method} ${path}`, async () => {
      const { status, body } = await ask(keys.get(needed)!, method, path);
      expect([status, body.detail]).toEqual([403, `this key lacks the scope ${needed}`]);
    });
  }
});

describe('a viewer token is refused', () => {
  for (const { method, path } of OPERATIONS.filter(({ path }) => !IS_FOR_VIEWERS.test(path))) {
    test(`at ${method} ${path}`, async () => {
      const { status, body } = await ask(token, method, path);
      expect([status, body.code]).toEqual([403, 'forbidden']);
      expect(body.detail).toStartWith('a viewer token only reads the feeds of its viewer');
    });
  }
});
