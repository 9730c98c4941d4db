import { describe, expect, test } from 'bun:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { checkpointFile } from '../../src/checkpoint/folder.ts';
import { writeOwn } from '../../src/checkpoint/write-next.ts';
import { FIXED_HASH_KEY } from '../../src/columns/keyed-hash.ts';
import { type CommunityData, verifyCommunity } from '../../src/doctor/community.ts';
import { CHECKPOINT_READS, enterCheckpoint } from '../../src/store/checkpoint-store.ts';
import type { Connection } from '../../src/store/connection.ts';
import { latestTrend } from '../../src/store/latest.ts';
import { purgeSteps } from '../../src/store/purge.ts';
import { hasRetired, purgeRetiredSteps } from '../../src/store/purge-retired.ts';
import { replay } from '../../src/store/replay.ts';
import { SEEN_FORMAT } from '../../src/store/seen.ts';
import { readsBy } from '../../src/store/timed-reads.ts';
import { VolatileSeen } from '../../src/store/volatile-seen.ts';
import { withFolder } from '../interchange/support.ts';
import { ENGINES } from '../store/engines.ts';
import { append, run, withConnection } from '../store/purge-support.ts';
import { checkAsync } from '../support/long.ts';
import { fold, RECYCLING, randomChanges } from '../support/random-changes.ts';

const RUNS = 10;
const STEPS = fc.integer({ min: 0, max: 60 });

function dataOf(connection: Connection, data: string, highest_seq: number): CommunityData {
  const { db } = connection;
  return {
    store: {
      replay: (visit, options) => replay(connection, visit, options),
      checkpoints: {
        ...readsBy((query) => query(connection), CHECKPOINT_READS),
        enter: (entry) => enterCheckpoint(db, entry),
      },
      seen: new VolatileSeen(),
      hasRetired: () => hasRetired(db),
      latestTrend: () => latestTrend(db),
      hashKey: async () => FIXED_HASH_KEY,
      seenKey: async () => new Uint8Array(32),
    },
    place: { data },
    reads: [],
    inspected: {
      community: 'content',
      is_current: true,
      last_applied_at: undefined,
      last_seq: highest_seq,
      highest_seq,
      checkpoint: undefined,
      database_id: '',
      seen_format: SEEN_FORMAT.value,
    },
  };
}

for (const engine of ENGINES) {
  describe(`feedloom doctor --deep on ${engine.name}`, () => {
    test('finds no fault in any history, wherever purges were interrupted, with a checkpoint of any age', () =>
      withFolder({}, (folder) =>
        withConnection(engine, async (fresh) => {
          await checkAsync(
            RUNS,
            [
              randomChanges(RECYCLING),
              fc.integer({ min: 0, max: 100 }),
              STEPS,
              STEPS,
              fc.integer({ min: 1, max: 20 }),
            ],
            async (changes, percent, erased_steps, retired_steps, step_rows) => {
              const connection = await fresh();
              await append(connection, changes, 0);
              const cut = Math.floor((changes.length * percent) / 100);
              const name = crypto.randomUUID();
              const next = { name, file: checkpointFile({ data: folder }, '', name) };
              const written = await writeOwn(fold(changes.slice(0, cut)), [], next, nextTurn);
              await enterCheckpoint(connection.db, { name, seq: cut, digest: written.digest });
              if (erased_steps > 0) await run(connection, purgeSteps(connection, step_rows), erased_steps);
              if (retired_steps > 0)
                await run(connection, purgeRetiredSteps(connection, step_rows), retired_steps);
              const { findings } = await verifyCommunity(dataOf(connection, folder, changes.length));
              expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
            },
          );
        }),
      ));
  });
}
