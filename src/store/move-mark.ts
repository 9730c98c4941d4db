import type { Kysely } from 'kysely';
import { StartupError } from '../errors.ts';
import { metaText } from './meta.ts';
import type { Tables } from './tables.ts';

/** Name of the text in `meta` that marks the target of an unfinished `feedloom move`. */
export const MOVE_MARK = 'unfinished_move';

export async function hasMoveMark(db: Kysely<Tables>): Promise<boolean> {
  return (await metaText(db, MOVE_MARK)) !== undefined;
}

/** @throws StartupError `move_unfinished` if the data is the target of an unfinished move */
export async function requireMoved(db: Kysely<Tables>): Promise<void> {
  if (!(await hasMoveMark(db))) return;
  throw new StartupError(
    'move_unfinished',
    'a move to this data was interrupted, so the data is incomplete',
    'run the same feedloom move again; its source is unchanged and can also be served',
  );
}
