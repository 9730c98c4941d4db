/** A community that a connector fills from a database. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { ExportFolder } from '../../../src/interchange/export-folder.ts';
import { exportFiles } from '../../../src/interchange/exporter.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { settled } from '../../support/manual-timers.ts';
import { openTestServer, type TestServer } from '../../support/service.ts';
import { type Contents, exported } from './postgres-forum.ts';

/** The user of the last change, which arrives after all others. */
const MARKER = '999999999';

export interface Reading {
  url: string;
  map: string;
  slot?: string;
  /** Further options of the connector. */
  options?: string;
  /** A data folder, which is kept. */
  data?: string;
}

/** The value of `--connect`. */
export function connection({ url, map, slot = 'feedloom', options = '' }: Reading): string {
  const file = join(temporaryFolder('maps'), 'maps');
  writeFileSync(file, map);
  return `postgres?url=${encodeURIComponent(url)}&map=${file}&slot=${slot}${options}`;
}

export class Community {
  readonly db: SQL;

  private constructor(
    readonly server: TestServer,
    url: string,
  ) {
    this.db = new SQL({ url, max: 1 });
  }

  static async open(reading: Reading): Promise<Community> {
    const settings = { connect: [connection(reading)] };
    const server = await openTestServer({ data: reading.data, settings, opening: { random: () => 0 } });
    server.service.connectors.start();
    return new Community(server, reading.url);
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async status(): Promise<any> {
    return (await this.server.get('/api/connectors')).body.data[0];
  }

  /** Waits until the status is so. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async until(holds: (status: any) => boolean): Promise<any> {
    for (;;) {
      const status = await this.status();
      if (holds(status)) return status;
      await settled();
    }
  }

  untilCopied(lines: number): Promise<unknown> {
    return this.until(({ cursor }) => cursor !== null && JSON.parse(cursor).copied.length === lines);
  }

  /** Waits until all changes so far have arrived, by one of a table that is mapped to users. */
  async caughtUp(table = 'users'): Promise<void> {
    await this.db.unsafe(`delete from ${table} where id = ${MARKER}`);
    await this.untilStatus(`users/${MARKER}`, 404);
    await this.db.unsafe(
      `insert into ${table} (id, name, created_at) values (${MARKER}, 'marker', '2025-01-01')`,
    );
    await this.untilStatus(`users/${MARKER}`, 200);
    await this.db.unsafe(`delete from ${table} where id = ${MARKER}`);
    await this.untilStatus(`users/${MARKER}`, 404);
  }

  async read(path: string): Promise<Record<string, unknown>> {
    const { body } = await this.server.get(`/v2/community/${path}`);
    return body;
  }

  async contents(): Promise<Contents> {
    const folder = temporaryFolder('export');
    const target = new ExportFolder(folder, { force: false, gzip: false });
    await exportFiles(this.server.service.store, target);
    target.finish();
    return exported(folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.db.close();
    await this.server.close();
  }

  private async untilStatus(path: string, wanted: number): Promise<void> {
    for (;;) {
      const { status } = await this.server.get(`/v2/community/${path}`);
      if (status === wanted) return;
      await settled();
    }
  }
}
