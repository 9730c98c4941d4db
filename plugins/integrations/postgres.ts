import { type ConnectorHost, defineIntegration, type TableMap } from 'feedloom/plugin';
import { Client } from 'pg';
import { Batch } from './postgres-batch.ts';
import { Changes } from './postgres-changes.ts';
import { copyTable } from './postgres-copy.ts';
import { positionOf } from './postgres-cursor.ts';
import { configOf, OPTIONS, type Options } from './postgres-options.ts';
import {
  execute,
  missingIn,
  openPosition,
  serverLacks,
  slotOf,
  untilOthersEnd,
  WAITING,
} from './postgres-setup.ts';
import { ChangeStream, SESSION } from './postgres-stream.ts';
import { type FoundTable, type MappedTable, tablesOf, warnAbout } from './postgres-tables.ts';
import { truncateFaults } from './postgres-truncate.ts';

/** An idle database: how often the position is stored, so that the server can drop its log, and at least. */
const STORE_SECONDS = 10;
const STORE_UNCHANGED_SECONDS = 120;
const CHECK_SECONDS = 30;
const MEGABYTE = 1024 * 1024;

/** One run, from its connection to its failure. */
class Run {
  private readonly client: Client;
  private checked_at: number;

  constructor(
    private readonly host: ConnectorHost,
    private readonly options: Options,
    private readonly maps: readonly TableMap[],
  ) {
    this.checked_at = host.clock.now();
    this.client = new Client(configOf(options.url));
    // Its queries fail, too.
    this.client.on('error', () => {});
  }

  async run(): Promise<void> {
    const { host, client } = this;
    const leave = () => void client.end();
    host.signal.addEventListener('abort', leave);
    try {
      await client.connect();
      await client.query(SESSION);
      await this.read();
    } finally {
      host.signal.removeEventListener('abort', leave);
      await client.end();
    }
  }

  private async read(): Promise<void> {
    const { host, client, options } = this;
    host.warning(WAITING);
    const lacks = await serverLacks(client);
    if (lacks.length > 0) throw new Error(lacks.join('; '));
    const { mapped, former } = await this.tables();
    const position = await openPosition(client, options, host);
    const batch = new Batch(host, { ...position, copied: position.copied.filter((id) => former.has(id)) });
    await batch.emit();
    const list_oids = await this.listOids();
    const to_copy = mapped.filter(
      ({ id, table }) => !batch.position.copied.includes(id) && table.key.length > 0,
    );
    if (to_copy.length > 0) await untilOthersEnd(client, host);
    for (const each of to_copy)
      await copyTable(client, each, list_oids, batch, host, () => this.check(mapped));
    const changes = new Changes(client, host, mapped, list_oids, batch, options.truncate);
    await this.follow(mapped, batch, changes);
  }

  /**
   * The tables that can be read, and the ids of those whose changes were all in the log.
   * @throws Error with what is missing, before anything was stored. Later the other tables go on.
   */
  private async tables(): Promise<{ mapped: MappedTable[]; former: Set<string> }> {
    const { client, host, options } = this;
    const found = await tablesOf(client, this.maps);
    const faults = found.flatMap((each) => each.faults.map(({ text }) => text));
    if (host.cursor === undefined && faults.length > 0) throw new Error(faults.join('; '));
    this.warn(found);
    const mapped = readable(found, host.cursor === undefined ? [] : positionOf(host.cursor).copied);
    const { missing, sql } = await missingIn(client, options, mapped);
    const former = mapped.filter((each) => !missing.includes(each));
    return {
      mapped: (await this.publish(sql)) ? mapped : former,
      former: new Set(former.map(({ id }) => id)),
    };
  }

  /** Whether the publication has all tables now. */
  private async publish(sql: readonly string[]): Promise<boolean> {
    try {
      for (const each of sql) await execute(this.client, each);
    } catch (error) {
      if (this.host.cursor === undefined || !(error instanceof Error)) throw error;
      this.host.warning('publication', error.message);
      return false;
    }
    this.host.warning('publication');
    return true;
  }

  private warn(found: readonly FoundTable[]): void {
    for (const { map, faults } of found)
      warnAbout(
        map,
        faults.map(({ text }) => text),
        this.host,
      );
  }

  /** Reads the log from the stored position on, until the connection ends. */
  private async follow(mapped: readonly MappedTable[], batch: Batch, changes: Changes): Promise<void> {
    const { signal, clock } = this.host;
    const stream = new ChangeStream(configOf(this.options.url), this.options, batch.position.lsn);
    const stop = () => stream.fail(new Error('the run has ended'));
    signal.addEventListener('abort', stop);
    let stored_at = clock.now();
    try {
      for (;;) {
        for (const message of await stream.next()) await changes.take(message);
        const is_due = clock.now() - stored_at >= (batch.has_moved ? STORE_SECONDS : STORE_UNCHANGED_SECONDS);
        if (!batch.is_empty || is_due) {
          await batch.emit();
          stored_at = clock.now();
          stream.confirm(batch.position.lsn);
        }
        await this.check(mapped);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      await stream.close();
    }
  }

  /** Looks at the slot and the tables again, from time to time. */
  private async check(mapped: readonly MappedTable[]): Promise<void> {
    const { host, client, options } = this;
    if (host.clock.now() - this.checked_at < CHECK_SECONDS) return;
    this.checked_at = host.clock.now();
    const slot = await slotOf(client, options.slot);
    const mb = Math.round((slot?.behind ?? 0) / MEGABYTE);
    const is_short = slot?.wal_status === 'unreserved' || mb > options.warn_mb;
    host.warning(
      'log',
      is_short ? `the server keeps ${mb} MB of its log for the slot ${options.slot}` : undefined,
    );
    const found = await tablesOf(client, this.maps);
    this.warn(found);
    const ids = new Set(mapped.map(({ id }) => id));
    const { missing, sql } = await missingIn(client, options, mapped);
    if (missing.length === 0 && sql.length > 0) await this.publish(sql);
    const further = readable(found, []).filter(({ id }) => !ids.has(id));
    const unpublished = await missingIn(client, options, further);
    const is_other = further.length > 0 && (await this.publish(unpublished.sql));
    if (missing.length === 0 && !is_other) return;
    const names = [...missing, ...further].map(({ map }) => map.table).join(', ');
    throw new Error(`replaced, renamed, dropped, published or unpublished since the start: ${names}`);
  }

  private async listOids(): Promise<Set<number>> {
    const list = "select oid::int8::float8 as oid from pg_type where typcategory = 'A'";
    const { rows } = await this.client.query<{ oid: number }>(list);
    return new Set(rows.map(({ oid }) => oid));
  }
}

/** Tables without faults, and those that were read before they had some. */
function readable(found: readonly FoundTable[], copied: readonly string[]): MappedTable[] {
  return found.flatMap(({ mapped, faults }) =>
    mapped !== undefined && (faults.length === 0 || copied.includes(mapped.id)) ? mapped : [],
  );
}

/**
 * Reads the tables of an app from its PostgreSQL: first a copy of all rows, then every change from its log.
 *
 * docs/postgres.md describes the setup. Changes have the order of their commits, so their records are `in_order`.
 */
export default defineIntegration({
  summary: 'Tables of a PostgreSQL database: a first copy, then every change by logical replication.',
  options: OPTIONS,
  connect: (options, { readMaps }) => {
    const maps = readMaps(options.map);
    const faults = truncateFaults(options, maps);
    if (faults.length > 0) throw new Error(faults.join('; '));
    return (host) => new Run(host, options, maps).run();
  },
});
