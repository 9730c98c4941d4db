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
    if (former !== undefined && !isAbove(key, former)) throw outOfOrder(table, key, former);
    former = key;
  }
}

function outOfOrder(table: string, key: unknown, former: unknown): StartupError {
  return new StartupError(
    'data_unreadable',
    `the table '${table}' is damaged: its row ${key} was read after row ${former}`,
    'restore the data from a backup; feedloom verify names the damaged pages of a database file',
  );
}
