import { type Kysely, sql } from 'kysely';
import type { Key } from '../model/key.ts';
import { CONTINUES } from '../seen/seen-store.ts';
import type { Reading } from './reading.ts';
import { unpackedKeys } from './rows.ts';
import type { Tables } from './tables.ts';
import type { Reads } from './timed-reads.ts';

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
  teams: Uint8Array;
  point: number;
}

/** A stored outcome, see `OutcomeChange`. */
export interface ViewerOutcome {
  viewer: string;
  seq: number;
  item: Key;
  event_type: number;
  timestamp: number;
}

const bytes = (viewer: string): Buffer => Buffer.from(viewer, 'hex');
const text = (viewer: Uint8Array): string => Buffer.from(viewer).toString('hex');

/** What `experiments/` needs of a store. */
export const EXPERIMENT_READS = {
  /** The pages of an arm after one of them, by viewer and number. */
  async pages(
    { db }: Reading,
    arm: number,
    after: Pick<ExperimentPage, 'viewer' | 'number'>,
    limit: number,
  ): Promise<ExperimentPage[]> {
    const rows = await db
      .selectFrom('experiment_pages')
      .select(['viewer', 'number', 'timestamp', 'is_short', 'items', 'teams', 'point'])
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
  },

  /** The outcomes of an arm after one of them, by viewer and `seq`, up to and including a viewer. */
  async outcomes(
    { db }: Reading,
    arm: number,
    after: Pick<ViewerOutcome, 'viewer' | 'seq'>,
    until: string,
    limit: number,
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
  },
};
export type ExperimentRows = Reads<typeof EXPERIMENT_READS>;

export const ROWS_OF_ARMS = ['experiment_pages', 'outcomes'] as const;

/** The arms that have rows. One index lookup an arm. */
export async function storedArms(
  db: Kysely<Tables>,
  table: (typeof ROWS_OF_ARMS)[number],
): Promise<number[]> {
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
  for (const table of ROWS_OF_ARMS)
    for (const arm of await storedArms(db, table))
      await db.deleteFrom(table).where('arm', '=', arm).where('viewer', '=', bytes(viewer)).execute();
}
