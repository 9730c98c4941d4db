import { CHANGES, type Change } from '../model/change.ts';
import { ITEM } from '../model/changes/item.ts';
import type { AnyMember } from '../model/define-change.ts';
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

const MEMBERS = new Map(CHANGES.map(({ kind, members }) => [kind, Object.entries<AnyMember>(members)]));

/** The first member with a value that is never stored. */
function wrongValue(change: Change): string | undefined {
  const values: Record<string, unknown> = change;
  const wrong = MEMBERS.get(change.kind)!.find(([name, member]) => !isPossible(values[name], member));
  if (wrong !== undefined) return wrong[0];
  return change.kind === ITEM.kind && !Number.isFinite(change.content.created_at) ? 'created_at' : undefined;
}

function isPossible(
  value: unknown,
  { type, max = Number.POSITIVE_INFINITY, is_optional }: AnyMember,
): boolean {
  if (value === undefined) return is_optional === true;
  if (typeof value !== 'number') return true;
  if (type === 'count') return value === NONE || (Number.isSafeInteger(value) && value >= 0);
  return Number.isFinite(value) && value <= max;
}
