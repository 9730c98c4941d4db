import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ConnectorRecord } from '../../../src/plugin/index.ts';
import { checkAsync } from '../../support/long.ts';
import { openTestService, START } from '../../support/service.ts';

const OWNER = 'did:plc:owner';
const LISTS = ['l0', 'l1'];
const USERS = ['a', 'b', 'c'];
const ENTRIES = ['e0', 'e1', 'e2', 'e3'];
const wanted = fc.record({ list_id: fc.constantFrom(...LISTS), target_user_id: fc.constantFrom(...USERS) });

/** What becomes of each record of a network, in order: its versions, and whether it is deleted at the end. */
const entries = fc.tuple(
  ...ENTRIES.map(() => fc.record({ versions: fc.array(wanted, { maxLength: 3 }), is_deleted: fc.boolean() })),
);
const lists = fc.tuple(
  ...LISTS.map(() =>
    fc.record({
      names: fc.array(fc.constantFrom('x', 'y', ''), { maxLength: 2 }),
      is_deleted: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
    }),
  ),
);

type Entries = typeof entries extends fc.Arbitrary<infer T> ? T : never;
type Lists = typeof lists extends fc.Arbitrary<infer T> ? T : never;

function recordsOf(of_entries: Entries, of_lists: Lists): ConnectorRecord[] {
  let at = START - 1_000;
  const members = of_entries.flatMap(({ versions, is_deleted }, index) => {
    const event = { user_id: OWNER, event_id: ENTRIES[index] };
    const removal = is_deleted ? [{ ...event, action: 'remove' }] : [];
    const added = versions.map((version) => ({ ...event, ...version, timestamp: at++ }));
    return [...added, ...removal].map((record) => ({ kind: 'list_member' as const, record }));
  });
  const described = of_lists.flatMap(({ names, is_deleted }, index) => {
    const list = { user_id: OWNER, list_id: LISTS[index] };
    const named = names.map((name) => ({ ...list, name, timestamp: at++ }));
    const removal = is_deleted ? [{ ...list, action: 'remove' }] : [];
    return [...named, ...removal].map((record) => ({ kind: 'user_list' as const, record }));
  });
  return [...members, ...described];
}

/** The members of each list and its name, as the network has them at the end. */
function expected(of_entries: Entries, of_lists: Lists): unknown {
  return LISTS.map((list_id, index) => {
    const { names, is_deleted } = of_lists[index];
    if (is_deleted) return { name: '', users: [] };
    const live = of_entries
      .filter((entry) => !entry.is_deleted)
      .flatMap(({ versions }) => versions.at(-1) ?? []);
    const users = live.filter((entry) => entry.list_id === list_id).map((entry) => entry.target_user_id);
    return { name: names.at(-1) ?? '', users: [...new Set(users)].sort() };
  });
}

test('lists of a network are the same in whatever order their records arrive, however often', async () => {
  await checkAsync(
    25,
    [entries, lists, fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), fc.integer({ min: 1, max: 5 })],
    async (of_entries, of_lists, order, size) => {
      await using service = await openTestService({});
      const records = recordsOf(of_entries, of_lists);
      const once = [...records].sort(
        (one, other) => order[records.indexOf(one)] - order[records.indexOf(other)],
      );
      const again = order.flatMap((draw) => records[draw % Math.max(1, 2 * records.length)] ?? []);
      const delivered = [...once, ...again];
      const { state, ingest } = service.service;
      for (let from = 0; from < delivered.length; from += size) {
        const { rejected } = await ingest.ordered(delivered.slice(from, from + size));
        expect(rejected).toEqual([]);
      }
      const found = LISTS.map((list_id) => {
        const list = state.user_lists.get(list_id);
        const users = (list?.users() ?? []).map((user) => state.users.names.id(user)).sort();
        return { name: list?.name ?? '', users };
      });
      expect(found).toEqual(expected(of_entries, of_lists) as typeof found);
    },
  );
});

test('a list of a network goes with its erased owner, and a member with their own erasure', async () => {
  await using service = await openTestService({});
  const { state, ingest } = service.service;
  const member = (event_id: string, target_user_id: string): ConnectorRecord => ({
    kind: 'list_member',
    record: { user_id: OWNER, event_id, list_id: 'l0', target_user_id, timestamp: START - 10 },
  });
  const records = [member('e0', 'a'), member('e1', 'b')];
  await ingest.ordered(records);
  await ingest.deleteUser('a');
  expect(
    state.user_lists
      .get('l0')
      ?.users()
      .map((user) => state.users.names.id(user)),
  ).toEqual(['b']);
  await ingest.deleteUser(OWNER);
  expect(state.user_lists.ids()).toEqual([]);
  const { warnings } = await ingest.ordered([
    ...records,
    { kind: 'user_list', record: { user_id: OWNER, list_id: 'l0', action: 'remove' } },
  ]);
  expect(warnings).toHaveLength(2);
  expect(state.user_lists.ids()).toEqual([]);
});

test('the deletion of one of two records that name a member leaves the member on the list', async () => {
  await using service = await openTestService({});
  const { state, ingest } = service.service;
  const event = (event_id: string) => ({ user_id: OWNER, event_id });
  const added = ['e0', 'e1'].map((id) => ({ ...event(id), list_id: 'l0', target_user_id: 'a' }));
  const send = (record: object) => ingest.ordered([{ kind: 'list_member', record: { ...record } }]);
  for (const record of added) await send(record);
  await send({ ...event('e0'), action: 'remove' });
  expect(state.user_lists.get('l0')?.size).toBe(1);
  await send({ ...event('e1'), action: 'remove' });
  expect(state.user_lists.get('l0')?.size).toBe(0);
});
