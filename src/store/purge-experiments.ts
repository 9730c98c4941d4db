import { highestSeq } from './commit.ts';
import type { Connection } from './connection.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import type { Steps } from './purge-work.ts';
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
