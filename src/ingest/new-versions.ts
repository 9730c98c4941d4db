import type { Fault } from '../errors.ts';
import type { Outcome } from './outcome.ts';
import type { Numbered } from './parse-all.ts';
import type { ChangeBatch } from './state-capacity.ts';
import type { Latest, Versions } from './versions.ts';
import { type Prepared, runAll } from './workbench.ts';

/** A record that may make a new version of the item or user with this id. */
export type Versioned<R> = Numbered<R> & { id: string };

/** The faults of a record, or its new version, if it changes anything. */
export type NewVersion<V> = { faults: Fault[] } | { version: V | undefined; warnings: readonly string[] };

/** Turns a record into its changes. */
export type PrepareVersion<R, V> = (
  record: R,
  base: V | undefined,
  applied_at: number,
  changes: ChangeBatch,
) => NewVersion<V>;

/** Puts the changes of records into `changes` and reports the results to `outcome`. */
export function newVersions<R, V>(
  entries: readonly Versioned<R>[],
  versions: Versions<V>,
  changes: ChangeBatch,
  latest: Latest<V>,
  applied_at: number,
  outcome: Outcome,
  prepare: PrepareVersion<R, V>,
): Prepared {
  const applied: (() => void)[] = [];
  for (const { record, id, index, warnings } of entries) {
    const prepared = outcome.unlessFull(index, () => prepare(record, latest(id), applied_at, changes));
    if (prepared === undefined) continue;
    if ('faults' in prepared) {
      outcome.reject(index, prepared.faults);
      continue;
    }
    outcome.accept(index, [...warnings, ...prepared.warnings]);
    if (prepared.version === undefined) continue;
    const version = versions.set(id, prepared.version);
    applied.push(() => versions.applied(id, version));
  }
  return { changes, records: entries.length, onApplied: () => runAll(applied) };
}
