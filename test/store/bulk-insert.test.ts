import { expect, test } from 'bun:test';
import { sql } from 'kysely';
import type { Change } from '../../src/model/change.ts';
import { batchOf } from '../../src/store/batch.ts';
import { commitBatch } from '../../src/store/commit.ts';
import { raiseFence } from '../../src/store/fence.ts';
import { openConnection } from '../../src/store/open-connection.ts';
import { replay } from '../../src/store/replay.ts';
import { migrate } from '../../src/store/upgrade.ts';
import { everyKind } from './any-change.ts';
import { follow, interaction, itemVersion } from './changes.ts';
import { ENGINES, withPlace } from './engines.ts';

const [, postgres] = ENGINES;

/** Acts with integer and fractional times. Each `pattern` mixes them in another order. */
function mixed(pattern: number): Change[] {
  return Array.from({ length: 70 }, (_, at) => {
    const part = (pattern >> (at % 8)) & 1 ? 0.125 : 0;
    return at % 3 === 0
      ? follow(at, pattern, 1_700_000_000 + part)
      : { ...interaction(at, pattern), timestamp: 1_700_000_000 + part };
  });
}

test('writes to PostgreSQL use one prepared statement per table for all values', () =>
  withPlace(postgres, async (place) => {
    const connection = await openConnection(place, 1);
    await migrate(connection);
    const fence = await raiseFence(connection);
    let expected = 0;
    const write = async (changes: Change[]) => {
      const batch = batchOf(changes, expected + 1);
      expect(await commitBatch(connection, fence, { type: 'write', expected, batch })).toEqual({
        type: 'written',
      });
      expected += changes.length;
    };
    const prepared = async () => {
      const query = sql`select count(*) from pg_prepared_statements`.compile(connection.db);
      const [[count]] = await connection.values(query);
      return Number(count);
    };
    await write([...everyKind(), ...mixed(0)]);
    const before = await prepared();
    for (let pattern = 1; pattern < 40; pattern++) await write(mixed(pattern).slice(pattern));
    expect(await prepared()).toBe(before);
    await connection.close();
  }));

test('numbers and texts read from PostgreSQL equal the written ones exactly', () =>
  withPlace(postgres, async (place) => {
    const connection = await openConnection(place, 1);
    await migrate(connection);
    const times = [0, -0, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1e21, 1e-7, 2 ** 53 - 1, -1.5];
    const texts = [
      '',
      ' ',
      '"',
      '\\',
      '{',
      ',',
      'null',
      'NULL',
      "'",
      '\t\n\r',
      '\\x41',
      '\u2028',
      '\\\\"',
      '😀',
    ];
    const changes: Change[] = [
      ...times.map((timestamp) => ({ ...interaction(1, 2), timestamp })),
      ...texts.map((event_id) => ({ ...interaction(1, 2), event_id })),
      ...texts.map((text) => itemVersion(1, 2, text)),
    ];
    const batch = batchOf(changes, 1);
    const fence = await raiseFence(connection);
    await commitBatch(connection, fence, { type: 'write', expected: 0, batch });
    const read: Change[] = [];
    await replay(connection, (change) => read.push(change), { with_events: true });
    expect(read).toEqual(changes.map((change, at) => ({ ...change, seq: at + 1 })));
    await connection.close();
  }));
