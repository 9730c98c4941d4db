import type { SQL } from 'bun';
import { CHANGE_TABLES } from '../tables.ts';

/** Takes the purged rows out of the tables' files; one scan of each. */
export async function sweep(client: SQL): Promise<void> {
  for (const { table } of CHANGE_TABLES) await client.unsafe(`vacuum ${table}`);
}
