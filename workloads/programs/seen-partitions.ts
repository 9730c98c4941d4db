/**
 * What partitions of the table `seen` cost: pages recorded and rows read a second by the service's own statements, beside
 * the undivided table, in turns, and the CPU time of the server. PostgreSQL does not wait for its disk here. Run:
 * `bun workloads/programs/seen-partitions.ts [--viewers 50000] [--by hash]`.
 */

import { parseArgs } from 'node:util';
import { SQL } from 'bun';
import { sql as kysely } from 'kysely';
import { monotonicMs, seededRandom } from '../../src/clock.ts';
import { firstNumber, type SeenWrite } from '../../src/seen/seen-store.ts';
import { median } from '../../src/statistics.ts';
import type { Connection } from '../../src/store/connection.ts';
import { openConnection } from '../../src/store/open-connection.ts';
import { readSeen } from '../../src/store/seen.ts';
import { deployText } from '../../test/deploy/support.ts';
import { emptyDatabase } from '../../test/support/prepared-data.ts';
import { withCpuMs } from '../bench/cpu-time.ts';

const { values } = parseArgs({
  options: {
    viewers: { type: 'string', default: '50000' },
    by: { type: 'string', default: 'range' },
  },
});
const VIEWERS = Number(values.viewers);
const ROUNDS = 9;
/** Statements of a turn, and viewers of a statement. */
const STATEMENTS = 100;
const BATCH = 100;
/** Bytes of a head of a faithful viewer. */
const HEAD_BYTES = 1_000;
const NOW = 1_767_225_600;

const random = seededRandom(7);
const viewerAt = (at: number): string =>
  new Bun.CryptoHasher('sha256').update(String(at)).digest('hex').slice(0, 32);
const between = (from: number, to: number): number[] =>
  Array.from({ length: Math.min(to, VIEWERS) - from }, (_, place) => from + place);
const content = Uint8Array.from({ length: HEAD_BYTES }, () => random() * 256);

/** The statements of `deploy/`, or the same with partitions by PostgreSQL's hash of the viewer. */
function division(): string {
  const text = deployText('postgres/partition-seen.sql');
  if (values.by === 'range') return text;
  const partition = "'create table seen_%s partition of seen for values with (modulus 16, remainder %s)";
  return text
    .replace('by range', 'by hash')
    .replace(/'create table[^']*?(?= with \()/, partition)
    .replace(/part,\n +case part when 0[^;]*?\n {4}\)/, 'part, part)');
}

interface Turn {
  rows_per_second: number;
  cpu_ms_per_row: number;
}

class Table {
  readonly written: Turn[] = [];
  readonly read: Turn[] = [];

  private constructor(
    private readonly connection: Connection,
    /** The server's process behind the connection. */
    private readonly pid: number,
    private readonly numbers = new Float64Array(VIEWERS),
  ) {}

  /** @param sql divides the empty table */
  static async filled(sql = 'select'): Promise<Table> {
    const database_url = await emptyDatabase();
    await using client = new SQL({ url: database_url, max: 1 });
    await client.unsafe(sql);
    const connection = await openConnection({ data: '', database_url }, 1);
    const { rows } = await kysely<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection.db);
    const table = new Table(connection, rows[0].pid);
    for (let from = 0; from < VIEWERS; from += BATCH) await table.write(between(from, from + BATCH));
    await client.unsafe('vacuum analyze seen');
    return table;
  }

  async turn(): Promise<void> {
    const batches = Array.from({ length: STATEMENTS }, () => [
      ...new Set(Array.from({ length: BATCH }, () => Math.floor(random() * VIEWERS))),
    ]);
    this.written.push(await this.measured(batches, (batch) => this.write(batch)));
    const everything = (batch: number[]) => batch.map((at) => ({ viewer: viewerAt(at), number: 0 }));
    this.read.push(await this.measured(batches, (batch) => readSeen(this.connection, everything(batch))));
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private async measured(batches: number[][], work: (batch: number[]) => Promise<unknown>): Promise<Turn> {
    const rows = batches.flat().length;
    const began_ms = monotonicMs();
    const [, cpu_ms = Number.NaN] = await withCpuMs(this.pid, async () => {
      for (const batch of batches) await work(batch);
    });
    return {
      rows_per_second: (rows / (monotonicMs() - began_ms)) * 1_000,
      cpu_ms_per_row: cpu_ms / rows,
    };
  }

  private async write(batch: number[]): Promise<void> {
    const { connection, numbers } = this;
    const writes = batch.map((at): SeenWrite => {
      const built_from = numbers[at];
      numbers[at] = built_from === 0 ? firstNumber(NOW) : built_from + 1;
      return { viewer: viewerAt(at), built_from, number: numbers[at], updated_at: NOW, content, parts: [] };
    });
    const sorted = writes.toSorted((one, other) => (one.viewer < other.viewer ? -1 : 1));
    const written = await connection.writeSeen(connection.db, sorted);
    if (written.length !== writes.length) throw new Error('a page was not recorded');
  }
}

const plain = await Table.filled();
const divided = await Table.filled(division());
for (let round = 0; round < ROUNDS; round++) {
  await plain.turn();
  await divided.turn();
}
for (const kind of ['written', 'read'] as const) {
  const rate = (table: Table) => Math.round(median(table[kind].map((turn) => turn.rows_per_second)));
  const cpu = (table: Table) => median(table[kind].map((turn) => turn.cpu_ms_per_row));
  console.log(
    `rows ${kind}: ${rate(plain)}/s undivided, ${rate(divided)}/s by ${values.by}; ` +
      `CPU time of the server ${(cpu(divided) / cpu(plain)).toFixed(2)} times as much`,
  );
}
await plain.close();
await divided.close();
process.exit();
