import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Keypair } from '@atproto/crypto';
import { Validator } from '@seriousme/openapi-schema-validator';
import pino from 'pino';
import { systemClock } from '../../../src/clock.ts';
import { createApp, routesOf } from '../../../src/http/app.ts';
import { Host } from '../../../src/http/transport/host.ts';
import { EXAMPLE_IDS } from '../../../src/model/records/example-ids.ts';
import { readSettings } from '../../../src/settings.ts';
import { fillWithDemo } from '../../support/demo.ts';
import { DID, DidServer, newKey, tokenOf } from '../../support/did-server.ts';
import { environment, feedloom } from '../../support/feedloom.ts';
import { openTestServer, START, type TestAnswer, type TestServer } from '../../support/service.ts';
import {
  addressOf,
  COMMITTED,
  DOCUMENT,
  faultsOf,
  type Json,
  OPERATIONS,
  type Operation,
} from '../documented.ts';
import { ingestPath, KEY } from '../support.ts';

/** The DID of the service in the examples. */
const BLUESKY_DID = 'did:web:feeds.example.com';

const HOST = new Host(pino({ level: 'silent' }));
const ROUTES = createApp(HOST, readSettings({})).routes;
const IN_DOCUMENT = new Set(
  routesOf(HOST, readSettings({})).flatMap(({ method, path, documented }) =>
    documented === undefined ? [] : [`${method} ${path}`],
  ),
);

test('the committed document equals the output of the command (run bun run openapi after a change)', () => {
  const printed = Bun.spawnSync([feedloom(), 'openapi'], { env: environment() });
  expect(printed.stderr.toString()).toBe('');
  expect(printed.stdout.toString() === COMMITTED).toBe(true);
});

test('the command takes the chain as a flag, and the paths are the same for every network', () => {
  const flags = ['--network', 'lens', '--chain', 'solana'];
  const printed = Bun.spawnSync([feedloom(), 'openapi', ...flags], { env: environment() });
  expect(printed.stderr.toString()).toBe('');
  const paths = Object.keys(JSON.parse(printed.stdout.toString()).paths);
  expect(paths).toEqual(Object.keys(DOCUMENT.paths).map((path) => path.replace(/^\/base\//, '/solana/')));
});

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(DOCUMENT))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  expect(() => validator.resolveRefs()).not.toThrow();
});

describe('every route', () => {
  for (const { method, path } of ROUTES) {
    test(`${method} ${path} is documented, marked as internal, or refused at a documented path`, () => {
      const documented = DOCUMENT.paths[path.replace(/:(\w+)/g, '{$1}')];
      if (IN_DOCUMENT.has(`${method} ${path}`)) expect(documented).toHaveProperty(method.toLowerCase());
      else if (documented !== undefined) expect(documented).not.toHaveProperty(method.toLowerCase());
      else expect(path).toMatch(/^\/$|^\/(console|docs|internal|swagger)(\/|$)/);
    });
  }

  test('every route has its own operation id', () => {
    const ids = OPERATIONS.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('every part of the document has a description:', () => {
  for (const { name, operation } of OPERATIONS) {
    test(name, () => {
      const { summary, description, parameters = [], requestBody, responses } = operation;
      const texts = [summary, description, ...parameters.map((parameter: Json) => parameter.description)];
      texts.push(...Object.values(responses as Json).map((response: Json) => response.description));
      if (requestBody !== undefined) texts.push(requestBody.description);
      for (const text of texts) expect(text).toMatch(/\S{2}/);
      const contents = [requestBody, ...Object.values(responses as Json)].map(
        (part: Json) => part?.content ?? {},
      );
      for (const content of contents)
        for (const { schema } of Object.values(content as Json) as Json[])
          expect(undescribed(schema, '')).toEqual([]);
    });
  }

  for (const [name, schema] of Object.entries(DOCUMENT.components.schemas as Json)) {
    test(`schema ${name}`, () => {
      expect((schema as Json).description).toMatch(/\S{2}/);
      expect(undescribed(schema, name)).toEqual([]);
    });
  }
});

/** Places of properties that neither have a description nor refer to something that does. */
function undescribed(schema: Json, place: string): string[] {
  const properties: [string, Json][] = Object.entries(schema.properties ?? {});
  const bare = properties
    .filter(([, field]) => field.description === undefined && field.$ref === undefined)
    .map(([name]) => `${place}/${name}`);
  const inner: [string, Json][] = [...properties];
  for (const list of [schema.anyOf, schema.oneOf, schema.allOf])
    inner.push(...(list ?? []).map((choice: Json, index: number) => [String(index), choice]));
  for (const key of ['items', 'additionalProperties'])
    if (typeof schema[key] === 'object') inner.push([key, schema[key]]);
  return [...bare, ...inner.flatMap(([name, field]) => undescribed(field, `${place}/${name}`))];
}

/** Operations that need no key. */
const OPEN = [
  'deliverWebhook',
  'health',
  'readiness',
  'metrics',
  'walletForYou',
  'walletPopular',
  'recordWalletEvent',
  'createConsoleSession',
  'didDocument',
  'describeFeedGenerator',
  'getFeedSkeleton',
  'sendInteractions',
];

test('every operation documents its authorisation and its errors', () => {
  for (const { name, operation, scopes } of OPERATIONS) {
    const open = OPEN.includes(operation.operationId);
    const alternatives = Math.max(1, scopes.length);
    expect({ name, keys: operation.security.length }).toEqual({ name, keys: open ? 0 : 3 * alternatives });
    const wanted = open ? ['500'] : ['401', '500', '503'];
    if (operation.requestBody !== undefined) wanted.push('400', '413', '415');
    if (operation.requestBody !== undefined && !open) wanted.push('403');
    const limited = !operation.tags.includes('Tokens and NFTs');
    if (operation.requestBody !== undefined && !open && limited) wanted.push('429');
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(wanted));
    for (const [status, { content }] of Object.entries(operation.responses as Json) as [string, Json][])
      if (Number(status) >= 400)
        expect(Object.keys(content)).toEqual([
          name.includes(' /xrpc/') ? 'application/json' : 'application/problem+json',
        ]);
  }
});

/** The values of a text that has one a line. */
function linesOf(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Operations that answer 201. */
const CREATING = new Set(['createFeed', 'createExperiment']);

describe('against the demo community', () => {
  let server: TestServer;
  let dids: DidServer;
  let key: Keypair;
  beforeAll(async () => {
    dids = new DidServer();
    key = await newKey();
    dids.publish(DID, key);
    server = await openTestServer({ settings: { plc_url: dids.url, bluesky_did: BLUESKY_DID } });
    await fillWithDemo(server.service);
    const feed = { name: 'Home', visibility: 'public', config: { bluesky: { rkey: 'home' } } };
    expect((await server.post('/api/feed/config', feed)).status).toBe(201);
  });
  afterAll(async () => {
    await server.close();
    await dids.close();
  });

  /** A key, or for methods of XRPC the token of a viewer. */
  async function credentials(path: string): Promise<Record<string, string>> {
    const [, lxm] = path.split('/xrpc/');
    if (lxm === undefined) return KEY;
    const exp = systemClock.now() + 600;
    return { authorization: `Bearer ${await tokenOf(key, { iss: DID, aud: BLUESKY_DID, lxm, exp })}` };
  }

  /** The answer is documented for its status, and is what the document says. */
  function expectDocumented(operation: Json, { status, headers, body }: TestAnswer): void {
    const documented = operation.responses[status];
    expect(documented).toBeDefined();
    const type = (headers.get('content-type') ?? '').split(';')[0];
    const values = type === 'application/x-ndjson' ? linesOf(body) : [body];
    for (const value of values) expect(faultsOf(documented.content[type].schema, value)).toEqual([]);
    for (const name of Object.keys(documented.headers ?? {})) expect(headers.has(name)).toBe(true);
  }

  /** Brings back what the examples of deletions name, as they may delete it by path and by query. */
  async function reviveExamples(): Promise<void> {
    const { erased_user: user_id, deleted_item: item_id, viewer: author_id } = EXAMPLE_IDS;
    const item = { item_id, author_id, created_at: START, revive: true };
    expect((await server.post(ingestPath('users'), { user_id, revive: true })).status).toBe(200);
    expect((await server.post(ingestPath('items'), item)).status).toBe(200);
    const list = `/v2/farcaster/lists/${EXAMPLE_IDS.list}`;
    expect((await server.call('PUT', list, { user_ids: [] }, KEY)).status).toBe(200);
  }

  // Deletions come after the examples whose records they delete, and the undo of a deletion after it.
  const place = ({ method, operation }: Operation): number =>
    operation.operationId === 'restoreFeed' ? 2 : Number(method === 'DELETE');
  const in_order = [...OPERATIONS].sort((one, other) => place(one) - place(other));
  for (const each of in_order) {
    const { name, method, path, operation } = each;
    const contents: [string, Json][] = Object.entries(operation.requestBody?.content ?? {});
    if (contents.length === 0) {
      test(`${name} works unchanged against the demo community`, async () => {
        if (method === 'DELETE') await reviveExamples();
        const answer = await server.call(method, addressOf(each), undefined, await credentials(path));
        // The community is there already.
        expect(answer.status).toBe(operation.operationId === 'loadDemo' ? 409 : 200);
        expectDocumented(operation, answer);
      });
    }
    for (const [type, { schema, examples }] of contents) {
      for (const [id, { value }] of Object.entries(examples as Json) as [string, Json][]) {
        test(`${name} works with its example ${id}`, async () => {
          expect(faultsOf(schema, value)).toEqual([]);
          const headers = { ...(await credentials(path)), 'content-type': type };
          const answer = await server.call(method, addressOf(each), value, headers);
          expect({ status: answer.status, detail: answer.body.detail }).toEqual({
            status: CREATING.has(operation.operationId) ? 201 : 200,
            detail: undefined,
          });
          expectDocumented(operation, answer);
          if (Array.isArray(answer.body.body)) expect(answer.body.body.length).toBeGreaterThan(0);
        });
      }
    }
  }

  const faults: [string, string, string, unknown, Record<string, string>][] = [
    ['400', 'POST', '/v2/community/feeds/for-you', { top_k: 0 }, KEY],
    ['400 of ingest', 'POST', '/v2/community/items', [5], KEY],
    ['400 of malformed JSON', 'POST', '/v2/community/items', '{', KEY],
    ['401', 'POST', '/v2/community/feeds/popular', {}, {}],
    ['404', 'GET', '/v2/community/items/{id}', undefined, KEY],
    ['404 of a feed', 'POST', '/v2/community/feeds/popular', { feed_id: 'feed_99' }, KEY],
    ['415', 'POST', '/v2/community/feeds/popular', 'x', { ...KEY, 'content-type': 'text/plain' }],
  ];
  for (const [name, method, path, body, headers] of faults) {
    test(`an error has the documented form: ${name}`, async () => {
      const answer = await server.call(method, path.replace('{id}', 'nothing'), body, headers);
      expect(answer.status).toBe(Number(name.slice(0, 3)));
      expectDocumented(DOCUMENT.paths[path][method.toLowerCase()], answer);
    });
  }
});
