import { describe, expect, test } from 'bun:test';
import type { Change } from '../../src/model/change.ts';
import { NONE } from '../../src/model/key.ts';
import type { Read } from '../../src/plugin/index.ts';
import { Fields, valueAt } from '../../src/state/fields.ts';
import type { State } from '../../src/state/state.ts';
import { check } from '../support/long.ts';
import { purged } from '../support/purged.ts';
import { fold, ITEM_IDS, randomChanges, USER_IDS } from '../support/random-changes.ts';
import { ReferenceState } from '../support/reference-state.ts';

const RUNS = 30;

const ITEM_PATHS = ['channel', 'ai_labels', 'publication_types', 'metadata', 'metadata.a', 'metadata.b.c'];
const USER_PATHS = ['username', 'geo_location', 'wallet_addresses', 'metadata.a'];
const READS = [
  'item.text',
  ...ITEM_PATHS.map((path) => `item.${path}`),
  ...USER_PATHS.map((path) => `user.${path}`),
];

const TEXTS = [undefined, '', 'plain', 'größer als 字 🙂', 'x'.repeat(20_000)];
const METADATA = [
  undefined,
  {},
  { a: 1, b: { c: 'deep' } },
  { a: 'one', b: 7 },
  { a: null, b: { c: [1, { d: true }] } },
  { a: false, 'b.c': 'a key with a dot' },
  JSON.parse('{"__proto__": {"a": 5}}') as object,
];

/** Contents with texts and metadata, derived from the number of the change. */
function enriched(changes: readonly Change[]): Change[] {
  return changes.map((change) => {
    if (change.kind !== 'item' && change.kind !== 'user') return change;
    const text = TEXTS[change.seq % TEXTS.length];
    const metadata = METADATA[change.seq % METADATA.length];
    if (change.kind === 'item') return { ...change, content: { ...change.content, text, metadata } };
    return { ...change, content: { ...change.content, username: text?.slice(0, 9), metadata } };
  }) as Change[];
}

/** All field values of a state, by identifier. */
function valuesOf(state: State): object {
  const items = ITEM_IDS.filter((id) => state.items.names.find(id) !== NONE).map((id) => {
    const item = state.items.names.find(id);
    const fields = ITEM_PATHS.map((path) => state.fields.item(item, path));
    return [id, state.fields.text(item), ...fields];
  });
  const users = USER_IDS.filter((id) => state.users.names.find(id) !== NONE).map((id) => {
    const user = state.users.names.find(id);
    return [id, ...USER_PATHS.map((path) => state.fields.user(user, path))];
  });
  return { items, users };
}

/** The same values, read from the contents. */
function expectedValues(reference: ReferenceState): object {
  const at = (content: object | undefined, path: string) => valueAt(content, path.split('.'));
  const items = ITEM_IDS.filter((id) => reference.items.has(id)).map((id) => {
    const { content } = reference.items.get(id)!;
    return [id, content?.text ?? '', ...ITEM_PATHS.map((path) => at(content, path))];
  });
  const users = USER_IDS.filter((id) => reference.users.has(id)).map((id) => {
    const { content } = reference.users.get(id)!;
    return [id, ...USER_PATHS.map((path) => at(content, path))];
  });
  return { items, users };
}

const columns = (): Fields => new Fields(READS as Read[]);

describe('content fields for plugins', () => {
  test('the field columns equal the contents after any history', () => {
    check(RUNS, [randomChanges()], (random) => {
      const changes = enriched(random);
      const reference = new ReferenceState();
      for (const change of changes) reference.apply(change);
      expect(valuesOf(fold(changes, columns()))).toEqual(expectedValues(reference));
    });
  });

  test('the field columns are the same after a fold of the rows that a purge leaves', () => {
    check(RUNS, [randomChanges()], (random) => {
      const changes = enriched(random);
      expect(valuesOf(fold(purged(changes), columns()))).toEqual(valuesOf(fold(changes, columns())));
    });
  });

  test('fields disappear with their item or user, also for users of the same ordinal later', () => {
    check(RUNS, [randomChanges()], (random) => {
      const state = fold(enriched(random), columns());
      for (let item = 0; item < state.items.size; item++) {
        if (state.items.described(item)) continue;
        expect(state.fields.text(item)).toBe('');
        for (const path of ITEM_PATHS) expect(state.fields.item(item, path)).toBeUndefined();
      }
      for (let user = 0; user < state.users.size; user++) {
        if (state.users.described(user)) continue;
        for (const path of USER_PATHS) expect(state.fields.user(user, path)).toBeUndefined();
      }
    });
  });

  test('an error names a field that no plugin declared', () => {
    const none = new Fields();
    expect(() => none.text(0)).toThrow("'item.text' is not held in memory");
    expect(() => none.item(0, 'metadata.a')).toThrow("'item.metadata.a' is not held");
    expect(() => none.user(0, 'username')).toThrow("'user.username' is not held");
    const some = new Fields(['item.metadata.a', 'user.metadata.a']);
    expect(() => some.item(0, 'metadata')).toThrow("'item.metadata' is not held");
    expect(some.item(NONE, 'metadata.a')).toBeUndefined();
    expect(some.user(NONE, 'metadata.a')).toBeUndefined();
  });

  test('malformed field declarations are rejected', () => {
    expect(() => new Fields(['item.metadata.' as Read])).toThrow('is not a valid field');
  });
});
