import { describe, expect, test } from 'bun:test';
import { fillWithDemo } from '../../support/demo.ts';
import { forFile, openTestServer } from '../../support/service.ts';
import { addressOf, DOCUMENT, type Json, OPERATIONS, type Operation } from '../documented.ts';
import { KEY } from '../support.ts';

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
      const id_of = ['item', 'list', 'user'].find((noun) => path.includes(`/${noun}s/`));
      const whole_name = name !== 'id' ? name : `${id_of}_id`;
      read({ [whole_name]: path.includes('/experiments/') ? undefined : example }, items, users);
    }
    if (method === 'POST' && /\/(items|users)$/.test(path)) continue;
    const content = operation.requestBody?.content['application/json'];
    for (const { value } of Object.values(content?.examples ?? {}) as Json[]) read(value, items, users);
  }
  for (const [name, schema] of Object.entries(DOCUMENT.components.schemas as Json) as [string, Json][]) {
    if (CREATED.includes(name)) {
      const { item_id: _, user_id: __, ...properties } = schema.properties;
      readSchema({ properties }, items, users);
    } else readSchema(schema, items, users);
  }
  return { items: [...items], users: [...users] };
}

/** Saved feeds, their experiments and feeds for Bluesky. Users save these, and the first one is `feed_1`. */
const NEEDS_SAVED = /^\/(api\/(learning$|feed\/|experiments\/)|xrpc\/|\.well-known\/)/;

const server = await forFile(openTestServer());
await fillWithDemo(server.service);

describe('against the demo community as it is loaded', () => {
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
      const { body } = await server.get(addressOf(one));
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
