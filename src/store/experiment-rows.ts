import { type Kysely, sql } from 'kysely';
import type { Key } from '../model/key.ts';
import { CONTINUES } from '../seen/seen-store.ts';
import { openArms } from './experiments.ts';
import type { PurgeStep } from './messages.ts';
import { unpackedKeys } from './rows.ts';
import type { Tables } from './tables.ts';

/**
 * The rows that results of experiments are computed from: pages in `experiment_pages`, and acts in `outcomes`.
 *
 * Both are read arm by arm, in the order of viewers. They are removed when the period of their arm has ended, because its
 * totals are stored with the experiment.
 */

/** A stored page, see `CountedPage`. */
export interface ExperimentPage {
  viewer: string;
  /** Rises with each page of a viewer. */
  number: number;
  timestamp: number;
  is_short: boolean;
  continues: boolean;
  items: Uint32Array;
}

/** A stored outcome, see `OutcomeChange`. */
export interface ViewerOutcome {
  viewer: string;
  seq: number;
  item: Key;
  event_type: number;
  timestamp: number;
}

/** What `experiments/` needs of a store. */
export interface ExperimentRows {
  /**
   * The pages of an arm after one of them, by viewer and number.
   * @throws ServiceError `store_unavailable`
   */
  pages(
    arm: number,
    after: Pick<ExperimentPage, 'viewer' | 'number'>,
    limit: number,
  ): Promise<ExperimentPage[]>;
  /** The outcomes of an arm after one of them, by viewer and `seq`, up to and including a viewer. @throws as `pages` */
  outcomes(
    arm: number,
    after: Pick<ViewerOutcome, 'viewer' | 'seq'>,
    until: string,
    limit: number,
  ): Promise<ViewerOutcome[]>;
}

const bytes = (viewer: string): Buffer => Buffer.from(viewer, 'hex');
const text = (viewer: Uint8Array): string => Buffer.from(viewer).toString('hex');

export async function readExperimentPages(
  db: Kysely<Tables>,
  ...[arm, after, limit]: Parameters<ExperimentRows['pages']>
): Promise<ExperimentPage[]> {
  const rows = await db
    .selectFrom('experiment_pages')
    .select(['viewer', 'number', 'timestamp', 'is_short', 'items'])
    .where('arm', '=', arm)
    .where(sql<boolean>`(viewer, number) > (${bytes(after.viewer)}, ${after.number})`)
    .orderBy('viewer')
    .orderBy('number')
    .limit(limit)
    .execute();
  return rows.map(({ viewer, is_short, items, ...row }) => ({
    ...row,
    viewer: text(viewer),
    is_short: is_short === 1,
    continues: is_short === CONTINUES,
    items: unpackedKeys(items),
  }));
}

export async function readViewerOutcomes(
  db: Kysely<Tables>,
  ...[arm, after, until, limit]: Parameters<ExperimentRows['outcomes']>
): Promise<ViewerOutcome[]> {
  const rows = await db
    .selectFrom('outcomes')
    .select(['viewer', 'seq', 'item_key as item', 'event_type', 'timestamp'])
    .where('arm', '=', arm)
    .where(sql<boolean>`(viewer, seq) > (${bytes(after.viewer)}, ${after.seq})`)
    .where('viewer', '<=', bytes(until))
    .orderBy('viewer')
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(({ viewer, seq, ...row }) => ({ ...row, viewer: text(viewer), seq: Number(seq) }));
}

const TABLES = ['experiment_pages', 'outcomes'] as const;

/** The arms that have rows. One index lookup an arm. */
async function storedArms(db: Kysely<Tables>, table: (typeof TABLES)[number]): Promise<number[]> {
  const arms: number[] = [];
  for (let last: number | null = 0; ; arms.push(last)) {
    const next: { arm: number | null } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.min('arm').as('arm'))
      .where('arm', '>', last)
      .executeTakeFirstOrThrow();
    last = next.arm;
    if (last === null) return arms;
  }
}

/** Removes all rows of a viewer. */
export async function removeViewer(db: Kysely<Tables>, viewer: string): Promise<void> {
  for (const table of TABLES)
    for (const arm of await storedArms(db, table))
      await db.deleteFrom(table).where('arm', '=', arm).where('viewer', '=', bytes(viewer)).execute();
}

/** Rows that are removed at once, but for further ones of the last viewer. */
const ROWS_PER_STEP = 10_000;

/** Removes the rows of ended periods. No steps if there are none. */
export async function* purgeArmsSteps(db: Kysely<Tables>): AsyncGenerator<PurgeStep, void> {
  const stored: [(typeof TABLES)[number], number][] = [];
  for (const table of TABLES) for (const arm of await storedArms(db, table)) stored.push([table, arm]);
  if (stored.length === 0) return;
  // Read last, because an experiment may begin meanwhile.
  const open = new Set(await openArms(db));
  for (const [table, arm] of stored) {
    if (open.has(arm)) continue;
    for (let is_last = false; !is_last; ) {
      const from = db.selectFrom(table).select('viewer').where('arm', '=', arm).orderBy('viewer');
      const next = await from.offset(ROWS_PER_STEP).limit(1).executeTakeFirst();
      is_last = next === undefined;
      const rows = db.deleteFrom(table).where('arm', '=', arm);
      await (next === undefined ? rows : rows.where('viewer', '<=', next.viewer)).execute();
      yield 'step';
    }
  }
}
