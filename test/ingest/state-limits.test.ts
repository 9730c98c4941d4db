import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ServiceError } from '../../src/errors.ts';
import type { BodyKind } from '../../src/ingest/record-kinds.ts';
import { NONE } from '../../src/model/key.ts';
import type { GivenPreferences } from '../../src/model/records/preferences.ts';
import type { ListEdit } from '../../src/model/records/user-list.ts';
import type { Service } from '../../src/service.ts';
import type { StateLimit, StateLimits } from '../../src/state/limits.ts';
import { usageOf } from '../../src/state/usage.ts';
import { withFolder } from '../interchange/support.ts';
import { checkAsync } from '../support/long.ts';
import { openTestService, START } from '../support/service.ts';
import { digest } from '../support/state-digest.ts';

const WALLETS = ['0xa', '0xb', '0xc'];
const EVENT_IDS = ['first', 'second'];
const PROBES = { wallets: WALLETS, event_ids: EVENT_IDS };

/** Low enough to be reached by a hundred records, some limits sooner than others. */
const LIMITS: Record<Exclude<StateLimit, 'user_keys' | 'item_keys'>, number> = {
  users: 7,
  user_id_bytes: 60,
  items: 8,
  item_id_bytes: 70,
  interactions: 9,
  item_interactions: 9,
  acted_items: 9,
  event_ids: 2,
  follows: 7,
  blocks: 4,
  lists: 1,
  list_entries: 5,
  users_with_preferences: 2,
  preferences_bytes: 260,
  former_counts: 3,
  values: 5,
  value_bytes: 40,
  item_values: 6,
  embedding_bytes: 32,
  wallets: 2,
  wallet_bytes: 8,
  per_subject: 3,
};
/** Of 16 bytes. */
const EMBEDDING = Array.from({ length: 16 }, (_, at) => at - 8);
const NAMES = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

const user_id = fc.nat(9).map((n) => `user-${n}${'x'.repeat(n % 4)}`);
const item_id = fc.nat(9).map((n) => `item-${n}${'y'.repeat(n % 5)}`);
const timestamp = fc.option(
  fc.nat(3).map((n) => START - 100 + n),
  { nil: undefined },
);

const RECORDS: Record<BodyKind, fc.Arbitrary<object>> = {
  items: fc.record({
    item_id,
    author_id: user_id,
    created_at: fc.constant(START - 1_000),
    channel: fc.constantFrom('a', 'b', 'c'),
    embed_domains: fc.subarray(['one.example', 'www.two.example', 'three.net']),
    ai_labels: fc.subarray(['gaming', 'art', 'music', 'sports']),
    embedding: fc.option(fc.constantFrom(EMBEDDING, EMBEDDING.toReversed()), { nil: '' }),
    likes_count: fc.nat(3),
    updated_at: fc.nat(3).map((n) => START - 50 + n),
  }),
  users: fc.record({ user_id, wallet_addresses: fc.subarray(WALLETS) }),
  follows: fc.record({
    user_id,
    target_user_id: user_id,
    timestamp,
    action: fc.constantFrom('follow', 'follow', 'unfollow'),
  }),
  blocks: fc.record({
    user_id,
    target_user_id: user_id,
    timestamp,
    action: fc.constantFrom('block', 'block', 'unblock'),
  }),
  labels: fc.record({
    labeler_id: user_id,
    item_id,
    value: fc.constantFrom('spam', '!hide'),
    action: fc.constantFrom('add', 'remove'),
    timestamp,
    hides: fc.boolean(),
  }),
  interactions: fc.record(
    {
      user_id,
      item_id,
      event_type: fc.constantFrom('like', 'view', 'share', 'comment', 'hide'),
      action: fc.constantFrom('add', 'add', 'remove'),
      timestamp: fc.nat(3).map((n) => START - 100 + n),
      event_id: fc.constantFrom(...EVENT_IDS),
    },
    { requiredKeys: ['user_id', 'item_id', 'event_type', 'action', 'timestamp'] },
  ),
};

type Step =
  | { kind: BodyKind; records: object[] }
  | { kind: 'list'; edit: ListEdit }
  | { kind: 'preferences'; id: string; given: GivenPreferences; is_patch: boolean }
  | { kind: 'delete item'; id: string }
  | { kind: 'delete user'; id: string }
  | { kind: 'page'; id: string };

const bodies = (Object.keys(RECORDS) as BodyKind[]).map((kind) =>
  fc.record({ kind: fc.constant(kind), records: fc.array(RECORDS[kind], { minLength: 1, maxLength: 4 }) }),
);
const deletion = fc.oneof(
  fc.record({ kind: fc.constant('delete item' as const), id: item_id }),
  fc.record({ kind: fc.constant('delete user' as const), id: user_id }),
);
const page = fc.record({ kind: fc.constant('page' as const), id: user_id });
const list = fc.record({
  kind: fc.constant('list' as const),
  edit: fc.record(
    {
      list_id: fc.constantFrom('l0', 'l1'),
      user_ids: fc.array(user_id, { maxLength: 4 }),
      add: fc.array(user_id),
    },
    { requiredKeys: ['list_id'] },
  ),
});
const preferences = fc.record({
  kind: fc.constant('preferences' as const),
  id: user_id,
  given: fc.record(
    {
      muted: fc.record({ authors: fc.uniqueArray(user_id, { maxLength: 2 }) }),
      personalised: fc.boolean(),
      less: fc.array(fc.constant({ kind: 'channel' as const, value: 'c'.repeat(150) }), { maxLength: 1 }),
    },
    { requiredKeys: [] },
  ),
  is_patch: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: list },
  { weight: 5, arbitrary: preferences },
  ...bodies.map((arbitrary) => ({ weight: 5, arbitrary })),
  { weight: 2, arbitrary: deletion },
  { weight: 3, arbitrary: page },
);
/** Steps of a turn are sent concurrently. */
const turns = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 14 });
const limits = fc
  .subarray(NAMES, { minLength: 1, maxLength: 5 })
  .map((names) => Object.fromEntries(names.map((name) => [name, LIMITS[name]])) as Partial<StateLimits>);

type Answer = 'done' | 'state full' | 'not found';

async function take({ ingest, feeds }: Service, step: Step): Promise<Answer> {
  try {
    if (step.kind === 'delete item') await ingest.deleteItem(step.id);
    else if (step.kind === 'delete user') await ingest.deleteUser(step.id);
    else if (step.kind === 'list') await ingest.userList(step.edit);
    else if (step.kind === 'preferences') await ingest.preferences({ ...step, user_id: step.id });
    else if (step.kind === 'page') {
      const { warnings } = await feeds.serve('popular', { user_id: step.id, top_k: 3, impression_count: 3 });
      if (warnings.some((warning) => warning.includes('not recorded'))) return 'state full';
    } else await ingest.ingest(step.kind, step.records);
    return 'done';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'state_full') return 'state full';
    if (error.code === 'not_found') return 'not found';
    throw error;
  }
}

/** The exceeded limits. Limits per user or item use the fullest table. */
function exceeded({ state }: Service, allowed: Partial<StateLimits>): string[] {
  const { follows, blocks, interactions } = state;
  const used = {
    ...usageOf(state),
    per_subject: Math.max(follows.fullest, blocks.fullest, interactions.fullest),
  };
  return (Object.keys(allowed) as StateLimit[]).filter((name) => used[name] > (allowed[name] ?? 0));
}

/** Removes all current acts and deletes the rest. */
async function clearOut(service: Service): Promise<Answer[]> {
  const { state } = service;
  const { users, items, follows, blocks, interactions } = state;
  const answers: Answer[] = [];
  const ordinals = Array.from({ length: users.size }, (_, user) => user);
  for (const user of ordinals.filter((each) => users.names.holds(each))) {
    const user_id = users.names.id(user);
    const idsOf = (others: number[]) =>
      others.map((other) => users.names.id(other)).filter((id) => id !== '');
    for (const target_user_id of idsOf(follows.following(user))) {
      const record = { user_id, target_user_id, action: 'unfollow' };
      answers.push(await take(service, { kind: 'follows', records: [record] }));
    }
    for (const target_user_id of idsOf(blocks.blocked(user))) {
      const record = { user_id, target_user_id, action: 'unblock' };
      answers.push(await take(service, { kind: 'blocks', records: [record] }));
    }
    const { by_user } = interactions;
    const acts = Array.from({ length: by_user.length(user) }, (_, index) => by_user.start(user) + index)
      .filter((at) => !by_user.removed(at) && !by_user.named(at))
      .map((at) => ({
        user_id,
        item_id: items.names.id(by_user.other(at)),
        event_type: state.vocabulary.names[by_user.event_type(at)],
        timestamp: by_user.timestamp(at),
        action: 'remove',
      }));
    for (const record of acts.filter(({ item_id }) => item_id !== '')) {
      // Acts other than comments are removed by a later record.
      const { timestamp, ...undated } = record;
      const dated = record.event_type === 'comment' ? record : undated;
      answers.push(await take(service, { kind: 'interactions', records: [dated] }));
    }
  }
  const described = Array.from({ length: items.size }, (_, item) => item).filter((item) =>
    items.described(item),
  );
  for (const id of described.map((item) => items.names.id(item)))
    answers.push(await take(service, { kind: 'delete item', id }));
  for (const list_id of state.user_lists.ids())
    answers.push(await take(service, { kind: 'list', edit: { list_id, is_deleted: true } }));
  const ids = () => ordinals.map((user) => users.names.id(user)).filter((id) => id !== '');
  for (const id of ids())
    answers.push(await take(service, { kind: 'preferences', id, given: {}, is_patch: false }));
  expect([state.preferences.count, state.preferences.bytes]).toEqual([0, 0]);
  for (const id of ids()) answers.push(await take(service, { kind: 'delete user', id }));
  return answers;
}

describe('a state with low limits', () => {
  test('takes as much as it has room for, never fails, is the same after a restart, and can be emptied at any time', async () => {
    let full = 0;
    await checkAsync(8, [turns, limits], (all, allowed) =>
      withFolder({}, async (data) => {
        const opening = { limits: allowed };
        const first = await openTestService({ data, opening });
        for (const turn of all) {
          const answers = await Promise.all(turn.map((each) => take(first.service, each)));
          full += answers.filter((answer) => answer === 'state full').length;
          first.clock.advance(1);
        }
        expect(exceeded(first.service, allowed)).toEqual([]);
        expect(first.service.store.is_stopped).toBe(false);
        const known = digest(first.service.state, PROBES);
        await first.close();
        const second = await openTestService({ data, opening, clock: first.clock });
        expect(digest(second.service.state, PROBES)).toEqual(known);
        const answers = await clearOut(second.service);
        expect(answers.filter((answer) => answer !== 'done')).toEqual([]);
        expect(second.service.state.users.names.count).toBe(0);
        await second.close();
      }),
    );
    expect(full).toBeGreaterThan(0);
  });

  test('keeps no trace of a record that it refuses', async () => {
    let full = 0;
    await checkAsync(
      8,
      [fc.array(step, { minLength: 20, maxLength: 40 }), limits],
      async (steps, allowed) => {
        const { service, clock, close } = await openTestService({ opening: { limits: allowed } });
        for (const each of steps) {
          const one = 'records' in each ? { ...each, records: each.records.slice(0, 1) } : each;
          const before = [
            digest(service.state, PROBES),
            service.state.seq,
            service.state.users.names.next_key,
          ];
          const answer = await take(service, one);
          clock.advance(1);
          // The deletion of a missing item is stored.
          if (answer !== 'state full') continue;
          full++;
          const { state } = service;
          expect([digest(state, PROBES), state.seq, state.users.names.next_key]).toEqual(before);
        }
        expect(exceeded(service, allowed)).toEqual([]);
        await close();
      },
    );
    expect(full).toBeGreaterThan(0);
  });
});

test('a limit can be reached exactly', async () => {
  const limits = { users: 5, follows: 3, items: 2 };
  const { service, close } = await openTestService({ opening: { limits } });
  const { ingest, state } = service;
  const follow = (user_id: string, target_user_id: string) =>
    take(service, { kind: 'follows', records: [{ user_id, target_user_id }] });
  expect(await follow('a', 'b')).toBe('done');
  expect(await follow('c', 'd')).toBe('done');
  expect(await follow('a', 'c')).toBe('done');
  expect(await follow('a', 'd')).toBe('state full');
  expect(await follow('a', 'b')).toBe('done');
  const item = (item_id: string, author_id: string) => ({ item_id, author_id, created_at: START - 60 });
  await ingest.ingest('items', [item('1', 'e'), item('2', 'e')]);
  const refusal = await ingest
    .ingest('items', [item('1', 'e'), item('3', 'e'), item('2', 'a')])
    .catch((error: ServiceError) => error.detail);
  expect(refusal).toContain(
    '1 of the records were not stored because there was no room, the first is record 1',
  );
  expect(state.users.names.id(state.items.author(state.items.names.find('2')))).toBe('a');
  expect(state.items.names.find('3')).toBe(NONE);
  expect(await take(service, { kind: 'users', records: [{ user_id: 'f' }] })).toBe('state full');
  expect(await take(service, { kind: 'users', records: [{ user_id: 'e', username: 'E' }] })).toBe('done');
  await close();
});
