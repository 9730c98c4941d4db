import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CHANGES, type Change, type Kind } from '../../src/model/change.ts';
import { type ChangeDefinition, type NamedReference, referencesOf } from '../../src/model/define-change.ts';
import { purgeSteps } from '../../src/store/purge.ts';
import { anyOf } from './any-change.ts';
import { erased, itemVersion, named } from './changes.ts';
import { ENGINES } from './engines.ts';
import { append, rowsOf, run, withConnection } from './purge-support.ts';

/** Keys of a user and of their item, which stay, and of those that are erased. */
const [STAYS, GONE] = [11, 22];

const PEOPLE: readonly Change[] = [STAYS, GONE].flatMap((key) => [
  named('user', key, `user ${key}`),
  named('item', key, `item ${key}`),
  itemVersion(key, key, 'a post'),
]);

const SUBJECTS = CHANGES.flatMap((change: ChangeDefinition & { kind: Kind }) =>
  referencesOf(change)
    .filter(({ role }) => role === 'subject')
    .map((subject) => ({ change, subject, title: `the ${subject.name} of a change '${change.kind}'` })),
);

/** A change whose users and items stay but for one subject. */
function about(change: ChangeDefinition & { kind: Kind }, key: number, { name }: NamedReference): Change {
  const [any] = fc.sample(anyOf(change), { numRuns: 1, seed: 1 });
  const keys = referencesOf(change).map((one) => {
    const named_key = one.name === name || one.role === 'owner' ? key : STAYS;
    return [one.name, change.members[one.name].type === 'keys' ? Uint32Array.of(STAYS) : named_key];
  });
  // An event that has happened, and a list of current time: others expire.
  return { ...any, ...Object.fromEntries(keys), applied_at: PEOPLE[0].applied_at, action: 1 } as Change;
}

for (const engine of ENGINES)
  test(`a purge on ${engine.name} removes each row with its subject, whichever kind and member`, () =>
    withConnection(engine, async (fresh) => {
      expect(SUBJECTS.length).toBeGreaterThan(10);
      for (const { change, subject, title } of SUBJECTS) {
        const connection = await fresh();
        const of_kind = async () =>
          (await rowsOf(connection)).filter(({ kind, seq }) => kind === change.kind && seq > PEOPLE.length)
            .length;
        const rows = [about(change, STAYS, subject), about(change, GONE, subject), erased(GONE)];
        await append(
          connection,
          [...PEOPLE, ...rows].map((row) => ({ ...row })),
          0,
        );
        expect([title, await of_kind()]).toEqual([title, 2]);
        await run(connection, purgeSteps(connection), 1_000);
        expect([title, await of_kind()]).toEqual([title, 1]);
      }
    }));
