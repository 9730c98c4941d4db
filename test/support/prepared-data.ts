import { Database } from 'bun:sqlite';
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { oncePerRun } from './once-per-run.ts';
import { freshDatabase } from './postgres.ts';

/** Data with the tables of this version, copied from data that is made once for a run: that takes less CPU time. */

const FILE = 'feedloom.sqlite';

let template: string | undefined;

// Tests rely on the secrets and the identity being those of one database.
const NEW_SECRETS = "name in ('hash_key', 'token_secret', 'cursor_secret', 'seen_key')";

function createTables(folder: string, ...url: string[]): void {
  const opening = join(import.meta.dir, 'empty-data.ts');
  const { success, stderr } = Bun.spawnSync([process.execPath, opening, folder, ...url]);
  if (!success) throw new Error(`the empty data cannot be made:\n${stderr}`);
}

/** Puts an empty database into a data folder, which is created if it is missing. */
export function putEmptyData(data: string): void {
  const template = oncePerRun('data', tmpdir(), (folder) => {
    createTables(folder);
    return join(folder, FILE);
  });
  mkdirSync(data, { recursive: true, mode: 0o700 });
  copyFileSync(template, join(data, FILE));
  const database = new Database(join(data, FILE));
  database.run(`update meta set value = lower(hex(randomblob(length(value) / 2))) where ${NEW_SECRETS}`);
  database.run("update meta set value = ? where name = 'database_id'", [crypto.randomUUID()]);
  database.close();
}

/** A new data folder with an empty database. */
export function emptyData(): string {
  const data = mkdtempSync(join(tmpdir(), 'feedloom-test-'));
  putEmptyData(data);
  return data;
}

/** URL of a new PostgreSQL database that holds nothing but the tables. */
export async function emptyDatabase(): Promise<string> {
  const candidate = template ?? (await freshDatabase());
  template ??= oncePerRun('tables', tmpdir(), (folder) => {
    createTables(folder, candidate);
    return candidate;
  });
  const url = await freshDatabase(new URL(template).pathname.slice(1));
  const client = new SQL({ url, max: 1 });
  const random = "replace(concat(gen_random_uuid(), gen_random_uuid()), '-', '')";
  await client.unsafe(`update meta set value = left(${random}, length(value)) where ${NEW_SECRETS};
    update meta set value = gen_random_uuid() where name = 'database_id'`);
  await client.close();
  return url;
}
