import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPES, type Scope } from '../../src/store/keys.ts';
import { editAt } from '../support/edit.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { openTestServer, START, type TestAnswer, type TestServer } from '../support/service.ts';

/** Every documented operation that needs a key, with the scope that it says it needs. */

interface Documented {
  security?: Record<string, string[]>[];
}

interface Document {
  paths: Record<string, Record<string, Documented>>;
}

const DOCUMENT = readFileSync(join(REPOSITORY, 'openapi', 'openapi.json'), 'utf8');
const OPERATIONS = Object.entries((JSON.parse(DOCUMENT) as Document).paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([name, { security = [] }]) => {
    const [ways] = security;
    if (ways === undefined) return [];
    const method = name.toUpperCase();
    return [{ method, path, scope: ways.bearer[0] as Scope | undefined }];
  }),
);
const NEEDING_SCOPE = OPERATIONS.filter(({ scope }) => scope !== undefined);
const IS_FEED = /\/(?:feeds|casts\/feed)\/[\w-]+(?:\/explain)?$/;

let server: TestServer;
/** By the scope that it lacks: a key with all others. */
const keys = new Map<Scope, string>();
let token: string;
beforeAll(async () => {
  server = await openTestServer();
  const { store } = server.service;
  for (const scope of SCOPES) {
    const others = SCOPES.filter((other) => other !== scope);
    keys.set(scope, (await store.keys.create('acme', others, editAt(START))).key);
  }
  await server.keys.refresh();
  token = (await server.post('/api/tokens', { user_id: 'ann', ttl_seconds: 60 })).body.token;
});
afterAll(() => server.close());

function ask(key: string, method: string, path: string): Promise<TestAnswer> {
  const address = path.replace(/\{\w+\}/g, 'x');
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  return server.call(method, address, body, { authorization: `Bearer ${key}` });
}

test('there are documented operations for every scope', () => {
  expect(new Set(NEEDING_SCOPE.map(({ scope }) => scope))).toEqual(new Set(SCOPES));
});

describe('a key without the documented scope is refused', () => {
  for (const { method, path, scope } of NEEDING_SCOPE) {
    test(`at ${method} ${path}`, async () => {
      const { status, body } = await ask(keys.get(scope!)!, method, path);
      expect([status, body.detail]).toEqual([403, `this key lacks the scope ${scope}`]);
    });
  }
});

describe('a viewer token is refused', () => {
  for (const { method, path } of OPERATIONS.filter(({ path }) => !IS_FEED.test(path))) {
    test(`at ${method} ${path}`, async () => {
      const { status, body } = await ask(token, method, path);
      expect([status, body.code]).toEqual([403, 'forbidden']);
      expect(body.detail).toStartWith('a viewer token only reads the feeds of its viewer');
    });
  }
});
