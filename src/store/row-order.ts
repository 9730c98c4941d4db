import { StartupError } from '../errors.ts';

/**
 * Requires that rows were read in rising order of their keys.
 *
 * Damaged pages of a database return rows in any order. A read that continues after the last row might never end.
 * @param after the key after which the read began
 * @throws StartupError `data_unreadable`
 */
export function requireRising<Key>(
  table: string,
  keys: Iterable<Key>,
  after: Key | undefined,
  isAbove: (key: Key, former: Key) => boolean = (key, former) => key > former,
): void {
  let former = after;
  for (const key of keys) {
    if (former !== undefined && !isAbove(key, former))
      throw damaged(`the table '${table}' is damaged: its row ${key} was read after row ${former}`);
    former = key;
  }
}

/** The error for a `seq` that two rows have. */
export function sharedSeq(seq: number, table: string, other: string): StartupError {
  return damaged(`one of the tables '${table}' and '${other}' is damaged: both have a row with seq ${seq}`);
}

function damaged(what: string): StartupError {
  return new StartupError(
    'data_unreadable',
    what,
    'restore the data from a backup; feedloom doctor --deep names the damaged pages of a database file',
  );
}
