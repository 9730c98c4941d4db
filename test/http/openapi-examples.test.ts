import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillWithDemo } from '../support/demo.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { openTestServer, type TestServer } from '../support/service.ts';
import { KEY } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of every shape
type Json = any;

const document: Json = JSON.parse(readFileSync(join(REPOSITORY, 'openapi', 'openapi.json'), 'utf8'));

interface Operation {
  method: string;
  path: string;
  operation: Json;
}

const OPERATIONS: Operation[] = Object.entries(document.paths as Json).flatMap(([path, methods]) =>
  Object.entries(methods as Json).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
  })),
);

/** Fields and parameters that name items or users of the community. */
const ITEM_FIELDS = ['item_id', 'parent_item_id', 'root_item_id', 'parent_hash', 'root_parent_hash', 'items'];
const USER_FIELDS = [
  'user_id',
  'target_user_id',
  'target_user_ids',
  'author_id',
  'mentioned_profiles',
  'users',
];

/** What the examples create: new items and users. */
const CREATED = ['ItemRecord', 'UserRecord'];
/** Tokens, NFTs, and posts of Bluesky. */
const OF_OTHERS = /^(base\.|at:)/;

function noteAll(into: Set<string>, value: unknown): void {
  for (const each of [value].flat()) if (typeof each === 'string' && !OF_OTHERS.test(each)) into.add(each);
}

/** Notes the identifiers in an example. */
function read(example: Json, items: Set<string>, users: Set<string>): void {
  if (typeof example !== 'object' || example === null) return;
  for (const [name, value] of Object.entries(example as Json)) {
    if (ITEM_FIELDS.includes(name)) noteAll(items, value);
    else if (USER_FIELDS.includes(name)) noteAll(users, value);
    read(value, items, users);
  }
}

/** Notes the identifiers in the examples of a schema's fields. */
function readSchema(schema: Json, items: Set<string>, users: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, field] of Object.entries((schema.properties ?? {}) as Json) as [string, Json][]) {
    read({ [name]: field.examples?.[0] }, items, users);
    readSchema(field, items, users);
  }
  for (const inner of [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    readSchema(inner, items, users);
}

/** The identifiers in the examples of the document, without those of new records. */
function idsOfExamples(): { items: string[]; users: string[] } {
  const items = new Set<string>();
  const users = new Set<string>();
  for (const { method, path, operation } of OPERATIONS) {
    for (const { name, example } of operation.parameters ?? []) {
      const whole_name = name !== 'id' ? name : path.includes('/items/') ? 'item_id' : 'user_id';
      read({ [whole_name]: path.includes('/experiments/') ? undefined : example }, items, users);
    }
    if (method === 'POST' && /\/(items|users)$/.test(path)) continue;
    const content = operation.requestBody?.content['application/json'];
    for (const { value } of Object.values(content?.examples ?? {}) as Json[]) read(value, items, users);
  }
  for (const [name, schema] of Object.entries(document.components.schemas as Json) as [string, Json][]) {
    if (CREATED.includes(name)) {
      const { item_id: _, user_id: __, ...properties } = schema.properties;
      readSchema({ properties }, items, users);
    } else readSchema(schema, items, users);
  }
  return { items: [...items], users: [...users] };
}

/** Saved feeds, their experiments and feeds for Bluesky. Users save these, and the first one is `feed_1`. */
const NEEDS_SAVED = /^\/(api\/(feed|experiments)|xrpc|\.well-known)\//;

/** The address of a request with the examples of its parameters. */
function addressOf({ path, operation }: Operation): string {
  const query = new URLSearchParams();
  let address = path;
  for (const { name, in: place, example } of operation.parameters ?? []) {
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(example));
    else if (place === 'query' && example !== undefined) query.set(name, String(example));
  }
  return query.size > 0 ? `${address}?${query}` : address;
}

describe('against the demo community as it is loaded', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer();
    await fillWithDemo(server.service);
  });
  afterAll(() => server.close());

  const statusOf = async (operation: Operation): Promise<unknown> => {
    const address = addressOf(operation);
    const { status } = await server.call(operation.method, address, undefined, KEY);
    return { address, status };
  };

  test('the examples name items and users of the community', async () => {
    const named = idsOfExamples();
    expect(named.items.length).toBeGreaterThan(2);
    expect(named.users.length).toBeGreaterThan(4);
    const { body } = await server.post('/v2/farcaster/records/read', named);
    expect(body.items.map(({ item_id }: Json) => item_id).toSorted()).toEqual(named.items.toSorted());
    expect(body.users.map(({ user_id }: Json) => user_id).toSorted()).toEqual(named.users.toSorted());
  });

  test('every read succeeds with its examples', async () => {
    const reads = OPERATIONS.filter(({ method, path }) => method === 'GET' && !NEEDS_SAVED.test(path));
    expect(reads.length).toBeGreaterThan(20);
    for (const read of reads) expect(await statusOf(read)).toEqual({ address: addressOf(read), status: 200 });
  });

  test('the item of the examples has similar items', async () => {
    const similar = OPERATIONS.filter(({ operation }) => /^similarItems/.test(operation.operationId));
    for (const one of similar) {
      const { body } = await server.call('GET', addressOf(one), undefined, KEY);
      expect(body.items.length).toBeGreaterThan(0);
    }
  });

  test('every deletion finds what its examples name', async () => {
    const deletions = OPERATIONS.filter(
      ({ method, path, operation }) =>
        // By query it is the same record again.
        method === 'DELETE' && !NEEDS_SAVED.test(path) && !operation.operationId.endsWith('ByQuery'),
    );
    expect(deletions.length).toBeGreaterThan(3);
    for (const one of deletions) {
      // The time of an example would be before that of the demo, which is now.
      const untimed = { ...one, operation: withoutTime(one.operation) };
      expect(await statusOf(untimed)).toEqual({ address: addressOf(untimed), status: 200 });
    }
  });
});

function withoutTime(operation: Json): Json {
  return { ...operation, parameters: operation.parameters.filter(({ name }: Json) => name !== 'timestamp') };
}
