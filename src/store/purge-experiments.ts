import type { Kysely } from 'kysely';
import { highestSeq } from './commit.ts';
import type { Connection } from './connection.ts';
import { ROWS_OF_ARMS, storedArms } from './experiment-rows.ts';
import { openArms } from './experiments.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import type { Steps } from './purge-work.ts';
import type { Tables } from './tables.ts';
import { latestTrend } from './trends.ts';

/** The name of the number in `meta`: there are no former versions of experiments up to this `seq`. */
const EXPERIMENTS_PURGED_SEQ = 'experiments_purged_seq';

/**
 * Purges former versions of experiments, of which `noteExperiments` leaves some. The latest version stays.
 *
 * A replay gives the same state, from nothing, from a checkpoint, and at a node that follows and has read any part of the
 * rows. So this needs neither a new checkpoint nor `purged_seq`.
 *
 * No steps if no experiment changed since the last purge.
 */
export async function* purgeExperimentsSteps({ db }: Connection): Steps {
  // Trends are stored up to this row. Later rows still give the learner its times.
  const until = (await latestTrend(db)) || (await highestSeq(db));
  const latest = await db
    .selectFrom('experiments')
    .select(({ fn }) => ['experiment_number', fn.max('seq').as('seq')])
    .where('seq', '<=', until)
    .groupBy('experiment_number')
    .having(({ fn }) => fn.max('seq'), '>', await metaNumber(db, EXPERIMENTS_PURGED_SEQ))
    .execute();
  if (latest.length === 0) return;
  for (const { experiment_number, seq } of latest) {
    await db
      .deleteFrom('experiments')
      .where('experiment_number', '=', experiment_number)
      .where('seq', '<', seq)
      .execute();
    yield 'step';
  }
  await setMetaNumber(db, EXPERIMENTS_PURGED_SEQ, until);
  yield 'step';
}

/** Rows that are removed at once, but for further ones of the last viewer. */
const ROWS_PER_STEP = 10_000;

/** Removes the rows of ended periods. No steps if there are none. */
export async function* purgeArmsSteps(db: Kysely<Tables>): Steps {
  const stored: [(typeof ROWS_OF_ARMS)[number], number][] = [];
  for (const table of ROWS_OF_ARMS) for (const arm of await storedArms(db, table)) stored.push([table, arm]);
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
