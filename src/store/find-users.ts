import { searchText } from '../model/changes/user.ts';
import type { Key } from '../model/key.ts';
import type { Reading } from './reading.ts';

/** Maximum number of rows per column, which include former profiles. */
const ROWS_MAX = 2_000;

/** The last code point, which sorts after every other. */
const LAST = '\u{10ffff}';

export interface FoundUser {
  user: Key;
  seq: number;
}

/**
 * Stored profiles whose username or display name begins with a text, without case: first by username. They may be
 * former profiles, and profiles of erased users. Reads at most some thousand rows of an index.
 */
export async function findUsers({ db }: Reading, prefix: string): Promise<FoundUser[]> {
  const text = searchText(prefix);
  if (text === '') return [];
  const found: FoundUser[] = [];
  for (const column of ['username', 'display_name'] as const) {
    const rows = await db
      .selectFrom('users')
      .select(['user_key', 'seq'])
      .where(column, '>=', text)
      .where(column, '<', text + LAST)
      .orderBy(column)
      .orderBy('user_key')
      .limit(ROWS_MAX)
      .execute();
    for (const { user_key, seq } of rows) found.push({ user: user_key, seq: Number(seq) });
  }
  return found;
}
