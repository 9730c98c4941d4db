import { reasonOf, StartupError } from '../errors.ts';
import type { Change } from '../model/change.ts';
import { type ChangeTableName, TABLE_OF } from './tables.ts';

/** A stored row that cannot be read, or whose change cannot be applied. */
export interface BadRow {
  table: ChangeTableName | 'seen';
  /** Of a row of `seen`, its number. */
  seq: number;
  reason: string;
}

export function badRowOf({ kind, seq }: Pick<Change, 'kind' | 'seq'>, error: unknown): BadRow {
  return { table: TABLE_OF[kind].table, seq, reason: reasonOf(error) };
}

/** Refuses to start because of a bad row. @throws StartupError `data_row_invalid` */
export function refuseBadRow(row: BadRow): never {
  throw badRowRefusal(row);
}

function badRowRefusal({ table, seq, reason }: BadRow): StartupError {
  return new StartupError(
    'data_row_invalid',
    `the row with seq ${seq} of the table '${table}' cannot be loaded (${reason})`,
    'restore the data from a backup; or run feedloom export, which leaves such rows out, and import that into an empty folder',
  );
}

interface Replayable {
  replay(
    visit: (change: Change) => void,
    options: { onBadRow: (row: BadRow) => void; with_events: boolean },
  ): Promise<unknown>;
}

/** Visits every stored change, including named events, and reports changes that cannot be read or visited. */
export async function replayLeniently(
  store: Replayable,
  onBadRow: (row: BadRow) => void,
  visit: (change: Change) => void,
): Promise<void> {
  const visitOne = (change: Change): void => {
    try {
      visit(change);
    } catch (error) {
      onBadRow(badRowOf(change, error));
    }
  };
  await store.replay(visitOne, { onBadRow, with_events: true });
}
