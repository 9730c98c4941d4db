import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../src/clock.ts';
import {
  type GroupColumn,
  NONE,
  PLUGIN_API,
  type Reached,
  type Read,
  type RequestContext,
} from '../../src/plugin/index.ts';
import { sampleWorlds } from '../../src/plugin/testing/sample.ts';
import { Subject } from '../../src/plugin/testing/subject.ts';
import { TEST_NOW, type TestWorld } from '../../src/plugin/testing/world.ts';
import { newPageId } from '../../src/seen/seen-book.ts';
import type { SeenRow } from '../../src/seen/seen-row.ts';
import { engineOn, requestOn } from '../support/scene.ts';
import { openTestServer, type TestServer } from '../support/service.ts';

/** A request of the testing kit gives the same values as the service for the same records. */

const READS: Read[] = [
  'text',
  'item.channel',
  'item.publication_types',
  'item.metadata.price',
  'user.username',
  'user.metadata.verified',
];
/** A plugin that makes the service load the fields. */
const PLUGIN = `
  import { PLUGIN_API, Type } from 'feedloom/plugin';
  const filter = { summary: 'Reads.', kind: 'inclusion', options: Type.Object({}), compile: () => () => () => true };
  export default {
    meta: { name: 'reads', version: '1.0.0', api: PLUGIN_API },
    filters: { 'reads/all': { ...filter, reads: ${JSON.stringify(READS)} } },
  };
`;
const COLUMNS: [GroupColumn, string][] = [
  ['author', 'ann'],
  ['channel', 'https://example.community/channel/music'],
  ['app', '9152'],
  ['language', 'pt'],
  ['publication_type', 'image'],
  ['domain', 'example.com'],
  ['label', 'music'],
];
const [WORLD] = sampleWorlds(READS);
/** The API rejects an item without author and time. */
const ITEMS = (WORLD.items ?? []).filter(({ author_id }) => author_id !== undefined);

let folder: string;
let server: TestServer;
const rows = new Map<string, SeenRow>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'feedloom-reads-'));
  writeFileSync(join(folder, 'reads.ts'), PLUGIN);
  server = await openTestServer({ clock: new ManualClock(TEST_NOW), settings: { plugins: folder } });
  const send = async (kind: string, records: object[]) => {
    const { body } = await server.post(`/v2/farcaster/${kind}`, records);
    expect({ kind, ...body }).toMatchObject({ kind, accepted: records.length });
  };
  const users = WORLD.users ?? [];
  await send(
    'items',
    // The service would detect the language of an item without one.
    ITEMS.map((item) => ({ created_at: TEST_NOW - 3600, ...item, language: item.language ?? '' })),
  );
  await send(
    'users',
    users.map(({ user_id, username, metadata }) => ({ user_id, username, metadata })),
  );
  const pairs = (of: 'follows' | 'blocks') =>
    users.flatMap((user) =>
      (user[of] ?? []).map((target_user_id) => ({ user_id: user.user_id, target_user_id })),
    );
  await send('follows', pairs('follows'));
  await send('blocks', pairs('blocks'));
  const acts = (of: 'seen' | 'interacted' | 'hidden', event_type: string) =>
    users.flatMap(({ user_id, [of]: ids = [] }) => ids.map((item_id) => ({ user_id, item_id, event_type })));
  // A bookmark changes no counter.
  await send('interactions', [...acts('interacted', 'bookmark'), ...acts('hidden', 'hide')]);
  const { seen: book, state } = server.service;
  const { names } = state.items;
  for (const { user_id, seen = [] } of users) {
    const keys = names.keysOf(seen.map((item_id) => names.find(item_id)));
    const page = { keys, feed: 0, arm: 0 };
    const row = await book.read(book.viewerOf(user_id));
    await book.record(row, { page_id: newPageId(), page, applied_seq: state.seq });
    rows.set(user_id, await book.read(row.viewer));
  }
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function both(world: Partial<TestWorld>): { kit: RequestContext; real: RequestContext } {
  const subject = new Subject({ meta: { name: 'acme', version: '1.0.0', api: PLUGIN_API } }, () => undefined);
  const kit = subject.request(
    { ...WORLD, items: ITEMS, viewer: undefined, ...world },
    { reads: READS, others: 'computed' },
  );
  const engine = engineOn(server.service.state, { registry: server.service.registry });
  const seen = rows.get(world.viewer ?? '');
  return { kit, real: requestOn(engine, { viewer: world.viewer, now: TEST_NOW, seen }) };
}

const ids = (of: 'users' | 'items'): string[] =>
  of === 'items' ? ITEMS.map(({ item_id }) => item_id) : (WORLD.users ?? []).map(({ user_id }) => user_id);

/** All values of a request for an item and its author, with users by name. */
function described(request: RequestContext, item_id: string): Record<string, unknown> {
  const item = request.item(item_id);
  const author = request.author(item);
  const nameOf = (user: number) => ids('users').find((id) => request.user(id) === user);
  return {
    item_id,
    author: nameOf(author),
    times: [request.created_at(item), request.now],
    reply: request.is_reply(item),
    counts: [request.likes_count(item), request.comments_count(item), request.shares_count(item)],
    recent: request.engagement_since(item, TEST_NOW - 86_400),
    all_time: request.engagement_since(item, -1),
    repeated: request.repeated_since(item, -1),
    place: [request.latitude(item), request.longitude(item)],
    has: COLUMNS.map(([column, value]) => request.has(column, item, request.code(column, value))),
    has_what_nobody_has: COLUMNS.map(([column]) =>
      request.has(column, item, request.code(column, 'nowhere')),
    ),
    any: COLUMNS.map(([column, value]) => {
      const wanted = request.code(column, value);
      return request.any_value(column, item, (code) => code === wanted);
    }),
    scores: COLUMNS.map(([column]) => {
      const scores: number[] = [];
      const none = request.any_value(column, item, (_, score) => scores.push(score) < 0);
      return [none, scores.sort()];
    }),
    label: request.label_score(item, request.code('label', 'music')),
    text: request.text(item),
    fields: [request.item_field(item, 'channel'), request.item_field(item, 'metadata.price')],
    author_fields: [request.user_field(author, 'username'), request.user_field(author, 'metadata.verified')],
    viewer: [request.has_seen(item), request.has_interacted(item), request.has_hidden(item)],
    acts_on_author: request.acts_on_author(author),
    dislike: request.dislikes()(item),
    hidden_author: [1, 2].map((count) => request.has_hidden_author(author, count, TEST_NOW - 5)),
    blocked: request.is_blocked(author),
    follows: request.follows(request.viewer, author),
    following: request.following(author).map(nameOf).sort(),
  };
}

test.each([{ viewer: 'viewer' }, { viewer: 'dan' }, { viewer: 'a stranger' }, {}])(
  'a test request gives the values of the service for %p',
  (world) => {
    const { kit, real } = both(world);
    expect(kit.viewer < 0).toBe(real.viewer < 0);
    for (const item_id of ids('items')) expect(described(kit, item_id)).toEqual(described(real, item_id));
    for (const [column] of COLUMNS) {
      expect([column, kit.code(column, 'nowhere')]).toEqual([column, real.code(column, 'nowhere')]);
    }
    const listed = (request: RequestContext, items: number[]) =>
      items.map((item) => ids('items').find((id) => request.item(id) === item));
    for (const [column, value] of COLUMNS) {
      const newest = (request: RequestContext) =>
        listed(request, request.items_by(column, request.code(column, value), 5));
      expect([column, ...newest(kit)]).toEqual([column, ...newest(real)]);
    }
    expect(listed(kit, kit.newest(9))).toEqual(listed(real, real.newest(9)));
  },
);

test('a test request gives the same values for NONE as for an unknown item', () => {
  const { kit, real } = both({ viewer: 'viewer' });
  // Other items were requested before.
  for (const request of [kit, real]) described(request, 'loved');
  expect(described(real, 'nowhere')).toEqual(described(kit, 'nowhere'));
  expect(real.author(NONE)).toBe(NONE);
  expect(described(real, 'nowhere')).toMatchObject({
    times: [0, TEST_NOW],
    counts: [0, 0, 0],
    recent: 0,
    all_time: 0,
    place: [Number.NaN, Number.NaN],
    label: Number.NaN,
    text: '',
    fields: [undefined, undefined],
    viewer: [false, false, false],
  });
});

/** All options for weights that do not fade. */
const REACHES: [string, (request: RequestContext) => Reached][] = [
  ['affinity', (request) => request.affinity({ recent: 100, users: 100, half_life_hours: 24 })],
  ['profile', (request) => request.profile({ history: 100, values: 100, newest: 100 })],
  ['walk', (request) => request.walk({ history: 100, half_life_hours: 24 })],
];

test.each(REACHES)('a test request reaches the same items by %s as the service', (name, reach) => {
  const { kit, real } = both({ viewer: 'viewer' });
  const reached = (request: RequestContext) => {
    const weights = reach(request);
    const share = request.share(weights);
    const items = ids('items').map((item_id) => request.item(item_id));
    expect(Math.max(...items.map(share))).toBe(1);
    expect(items.map((item) => Math.sign(share(item)))).toEqual(
      items.map((item) => Math.sign(weights.weight(item))),
    );
    return ids('items').filter((item_id) => weights.weight(request.item(item_id)) > 0);
  };
  expect(reached(kit)).toEqual(reached(real));
  expect([name, reached(kit).length > 1]).toEqual([name, true]);
});

test('a test request reaches nothing for an unknown viewer', () => {
  for (const request of Object.values(both({ viewer: 'a stranger' }))) {
    for (const [name, reach] of REACHES) {
      const reached = reach(request);
      const share = request.share(reached)(request.item('loved'));
      expect([name, reached.size, request.greatest(reached), share]).toEqual([name, 0, 0, 0]);
    }
  }
});

test('a test request expects more engagement for items with more engagement', () => {
  for (const request of Object.values(both({}))) {
    const rateOf = request.expected_rates();
    const [loved, shared, ahead] = ['loved', 'shared', 'ahead'].map((item_id) =>
      rateOf(request.item(item_id)),
    );
    expect(loved).toBeGreaterThan(ahead);
    expect(ahead).toBeGreaterThan(shared);
    expect(shared).toBeGreaterThan(0);
  }
});

test.each([
  { likes_count: 1, hours: 2, known: true },
  { likes_count: 1, hours: 1.9, known: false },
  { likes_count: 0, hours: 9, known: false },
])('knows a pace two hours after the first engagement: %p', ({ likes_count, hours, known }) => {
  const items = [{ item_id: 'a', created_at: TEST_NOW - hours * 3600, likes_count }];
  expect(both({ items }).kit.pace_known).toBe(known);
});
