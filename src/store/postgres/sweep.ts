import type { SQL } from 'bun';
import { CHANGE_TABLES } from '../tables.ts';

/** Takes the purged rows out of the tables' files; one scan of each, which waits for nobody. */
export async function sweep(client: SQL): Promise<boolean> {
  for (const { table } of CHANGE_TABLES) await client.unsafe(`vacuum ${table}`);
  return true;
}
