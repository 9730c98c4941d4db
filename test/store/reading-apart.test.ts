import { describe, expect, test } from 'bun:test';
import type { Change } from '../../src/state/change.ts';
import type { Location } from '../../src/store/connection.ts';
import { openConnection } from '../../src/store/open-connection.ts';
import { ReaderLink } from '../../src/store/reader-link.ts';
import { type Replayed, type ReplayOptions, replay } from '../../src/store/replay.ts';
import { everyKind, follow, interaction, shown, userVersion } from './changes.ts';
import { ENGINES, type Place, refusal, withServing } from './engines.ts';

/** More rows than a chunk of large ones, of two tables, in runs and one upon the other. */
const MANY: readonly Change[] = [
  ...everyKind(),
  ...Array.from({ length: 2_500 }, (_, index) => userVersion(index, `user ${index}`)),
  ...Array.from({ length: 4_200 }, (_, index) =>
    index % 2 === 0 ? shown(index, [index, 7]) : interaction(index, 3),
  ),
  ...Array.from({ length: 2_000 }, (_, index) => userVersion(index, `user ${index} again`)),
  follow(1, 2),
];

const locationOf = ({ data, database_url }: Place): Location => ({ data, database_url });

async function readFrom(
  location: Location,
  options: ReplayOptions,
): Promise<{ changes: Change[]; replayed: Replayed }> {
  const connection = await openConnection(location, 2);
  try {
    const changes: Change[] = [];
    const replayed = await replay(connection, (change) => changes.push(change), options);
    return { changes, replayed };
  } finally {
    await connection.close();
  }
}

describe.each(ENGINES)('changes read by a thread of their own, %p', (engine) => {
  test('are the same, in the same order, wherever one begins', () =>
    withServing(engine, async ({ store }, place) => {
      for (let at = 0; at < MANY.length; at += 1_000) {
        await store.submit(MANY.slice(at, at + 1_000).map((change) => ({ ...change })));
      }
      const location = locationOf(place);
      for (const after of [0, 2_300, MANY.length - 1, MANY.length]) {
        const alone = await readFrom(location, { after });
        const apart = await readFrom(location, { after, apart: { location, from: 0 } });
        expect(apart).toEqual(alone);
        expect(apart.changes.map(({ seq }) => seq)).toEqual(
          Array.from({ length: MANY.length - after }, (_, index) => after + 1 + index),
        );
      }
    }));

  test('are of one view: what is written while they are read is not among them', () =>
    withServing(engine, async ({ store }, place) => {
      await store.submit(MANY.slice(0, 4_000).map((change) => ({ ...change })));
      const location = locationOf(place);
      let written = false;
      const slice = async () => {
        if (!written) await store.submit([{ ...follow(5, 6) }]);
        written = true;
      };
      const { changes } = await readFrom(location, { slice, apart: { location, from: 0 } });
      expect([written, changes.length]).toEqual([true, 4_000]);
    }));

  test('end with what whoever visits them throws, and keep nothing open', () =>
    withServing(engine, async ({ store }, place) => {
      await store.submit(MANY.slice(0, 4_000).map((change) => ({ ...change })));
      const connection = await openConnection(locationOf(place), 2);
      const visit = ({ seq }: Change) => {
        if (seq === 3_000) throw new Error('enough');
      };
      const apart = { location: locationOf(place), from: 0 };
      expect((await refusal(replay(connection, visit, { apart }))).message).toBe('enough');
      // A view that is still held would be in its way.
      expect(await connection.sweeper()()).toBe(true);
      await connection.close();
    }));
});

describe('a thread that cannot read', () => {
  test('says why, at once or in the midst', async () => {
    const range = { after: 0, until: 10 };
    const nowhere = { data: '/dev/null/feedloom' };
    expect((await refusal(ReaderLink.open(nowhere, range))).message).toContain('/dev/null/feedloom');
    await withServing(ENGINES[0], async ({ store }, place) => {
      await store.submit(everyKind());
      await place.run('drop table follows');
      const location = locationOf(place);
      const failed = await refusal(readFrom(location, { apart: { location, from: 0 } }));
      expect(failed.message).toContain('no such table: follows');
    });
  });
});
