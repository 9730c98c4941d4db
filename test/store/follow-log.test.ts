import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { openStore } from '../../src/store/open-store.ts';
import { until } from '../cluster/support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { emptyDatabase } from '../support/prepared-data.ts';

const ROWS = 50_000;
/** More than PostgreSQL plans anew for each execution. */
const READS = 20;

test('reading a few changes of a long log scans no table of PostgreSQL', async () => {
  const database_url = await emptyDatabase();
  const data = temporaryFolder('follow-log');
  const admin = new SQL({ url: database_url, max: 1 });
  const scans = async () => {
    const [row] = await admin`select seq_scan::int as whole, idx_scan::int as by_index
      from pg_stat_user_tables where relname = 'follows'`;
    return row as { whole: number; by_index: number };
  };
  try {
    const store = await openStore({ data, database_url, role: 'node', write_queue: 1, command: 'test' });
    const { log } = store;
    if (log === undefined) throw new Error('nodes have a log to follow');
    await admin.unsafe(`insert into follows (seq, applied_at, user_key, target_key, timestamp, action)
      select seq, 0, seq, seq + 1, 0, 1 from generate_series(1, ${ROWS}) seq`);
    await admin.unsafe(`update meta set value = '${ROWS + 1}' where name = 'highest_seq'`);
    await admin.unsafe('vacuum (analyze) follows');
    const before = await scans();
    for (let read = 0; read < READS; read++) {
      await log.read(
        ROWS,
        () => {},
        async () => {},
      );
    }
    await store.close();
    // The server counts the scans of a session at its end at the latest.
    const after = await until(
      scans,
      ({ whole, by_index }) => whole + by_index >= before.whole + before.by_index + READS,
    );
    // The preparation of the table may be counted late.
    expect(after.whole - before.whole).toBeLessThanOrEqual(2);
  } finally {
    await admin.close();
  }
});
