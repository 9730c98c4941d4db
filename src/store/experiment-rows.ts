import type { Change, ExperimentContent, ImpressionChange, Stamp } from '../state/change.ts';
import { contentAt, keysAt, numberAt, type Rows } from './row-columns.ts';
import type { List, Value } from './tables.ts';

/** Stored for a page that no experiment decided. */
export const NO_ARM = 0;

export function impressionValues({
  user,
  timestamp,
  items,
  arm = NO_ARM,
  is_short = 0,
}: ImpressionChange): (Value | List)[] {
  return [user, timestamp, items, arm, is_short];
}

/** Makes the change that row `at` of a table contains, for kinds that experiments count. */
export function experimentChangeAt(
  kind: 'impression' | 'experiment' | 'outcome',
  stamp: Stamp,
  rows: Rows,
  at: number,
): Change {
  const first = numberAt(rows, 0, at);
  switch (kind) {
    case 'impression': {
      const [timestamp, items] = [numberAt(rows, 1, at), keysAt(rows, 2, at)];
      const impression: ImpressionChange = { kind, ...stamp, user: first, timestamp, items };
      const arm = numberAt(rows, 3, at);
      return arm === NO_ARM ? impression : { ...impression, arm, is_short: numberAt(rows, 4, at) };
    }
    case 'experiment':
      return { kind, ...stamp, experiment: first, content: contentAt<ExperimentContent>(rows, 1, at) };
    case 'outcome': {
      const [arm, event_type] = [numberAt(rows, 1, at), numberAt(rows, 2, at)];
      return { kind, ...stamp, user: first, arm, event_type, timestamp: numberAt(rows, 3, at) };
    }
  }
}
