import { COUNTERS } from '../model/acts.ts';
import type { Change } from '../model/change.ts';
import { NONE } from '../model/key.ts';
import { type BadRow, badRowOf } from '../store/bad-rows.ts';
import type { Check } from './check.ts';

/** Checks the times of stored changes and the values in their rows. */
export class Rows {
  private applied_at = 0;
  changes = 0;

  constructor(private readonly check: Check) {}

  /** A row that cannot be read or applied. */
  readonly bad = ({ table, seq, reason }: BadRow): void => {
    this.check.fault(
      `unreadable ${table}`,
      `row ${seq} of the table '${table}' cannot be loaded (${reason})`,
    );
  };

  note(change: Change): void {
    this.changes++;
    const { check } = this;
    if (change.applied_at < this.applied_at || !Number.isFinite(change.applied_at))
      check.fault('applied_at', `${placeOf(change)} has an applied_at before that of an earlier row`);
    this.applied_at = Math.max(this.applied_at, change.applied_at);
    const wrong = wrongValue(change);
    if (wrong !== undefined)
      check.fault(`value ${change.kind} ${wrong}`, `${placeOf(change)} has an impossible ${wrong}`);
  }
}

/** The table and `seq` of a change, for messages. */
export function placeOf(change: Change): string {
  const { table, seq } = badRowOf(change, '');
  return `row ${seq} of the table '${table}'`;
}

/** The first column with a value that is never stored. */
function wrongValue(change: Change): string | undefined {
  if ('action' in change && change.action !== 0 && change.action !== 1) return 'action';
  if ('timestamp' in change && !Number.isFinite(change.timestamp)) return 'timestamp';
  if (change.kind === 'item' && !Number.isFinite(change.content.created_at)) return 'created_at';
  if (change.kind !== 'engagement') return undefined;
  if (!Number.isFinite(change.updated_at)) return 'updated_at';
  return COUNTERS.find((counter) => change[counter] !== NONE && !isCount(change[counter]));
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
