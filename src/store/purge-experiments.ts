import type { ExperimentContent } from '../state/change.ts';
import { highestSeq } from './commit.ts';
import type { Connection } from './connection.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import type { Steps } from './purge-work.ts';
import { requireRising } from './row-order.ts';
import { latestTrend } from './trends.ts';

/** The name of the number in `meta`: there are no former versions of experiments up to this `seq`. */
const EXPERIMENTS_PURGED_SEQ = 'experiments_purged_seq';
/** Versions that are read at once. The latest have the totals of up to ten periods. */
const VERSIONS_PER_STEP = 100;

/** The versions of an experiment that stay, from the latest on. */
interface LastVersions {
  latest: number;
  /** The first arm of the current period; undefined if none runs. */
  arm: number | undefined;
  /** The earliest known version of the current period. */
  first: number;
}

/**
 * Purges former versions of experiments, of which `noteExperiments` leaves some.
 *
 * The latest version stays. While it runs, the first version of its period stays too, because impressions count from
 * there on. A replay of these gives the same state, from nothing, from a checkpoint, and at a node that follows and has
 * read any part of the rows. So this needs neither a new checkpoint nor `purged_seq`.
 *
 * No steps if no experiment changed since the last purge.
 */
export async function* purgeExperimentsSteps({ db, integersIn }: Connection): Steps {
  // Trends are stored up to this row. Later rows still give the learner its times.
  const until = (await latestTrend(db)) || (await highestSeq(db));
  const changed = await db
    .selectFrom('experiments')
    .select('experiment_number')
    .distinct()
    .where('seq', '>', await metaNumber(db, EXPERIMENTS_PURGED_SEQ))
    .where('seq', '<=', until)
    .execute();
  if (changed.length === 0) return;
  const numbers = integersIn(JSON.stringify(changed.map(({ experiment_number }) => experiment_number)));
  const kept = new Map<number, LastVersions>();
  for (let before = until + 1; before > 0; ) {
    const versions = await db
      .selectFrom('experiments')
      .select(['seq', 'experiment_number', 'content'])
      .where('seq', '<', before)
      .where('experiment_number', 'in', numbers)
      .orderBy('seq', 'desc')
      .limit(VERSIONS_PER_STEP)
      .execute();
    requireRising(
      'experiments',
      versions.map(({ seq }) => -Number(seq)),
      -before,
    );
    const former = versions.flatMap(({ seq, experiment_number, content }) =>
      formerBefore(kept, experiment_number, Number(seq), JSON.parse(content) as ExperimentContent),
    );
    if (former.length > 0) {
      await db
        .deleteFrom('experiments')
        .where('seq', 'in', integersIn(JSON.stringify(former)))
        .execute();
    }
    before = versions.length < VERSIONS_PER_STEP ? 0 : Number(versions[versions.length - 1].seq);
    yield 'step';
  }
  await setMetaNumber(db, EXPERIMENTS_PURGED_SEQ, until);
  yield 'step';
}

/** Notes the next older version of an experiment. @returns the versions that no replay needs now that it is known */
function formerBefore(
  kept: Map<number, LastVersions>,
  experiment: number,
  seq: number,
  { status, variants: [{ arm }] }: ExperimentContent,
): number[] {
  const known = kept.get(experiment);
  if (known === undefined) {
    kept.set(experiment, { latest: seq, arm: status === 'running' ? arm : undefined, first: seq });
    return [];
  }
  if (status !== 'running' || arm !== known.arm) return [seq];
  const former = known.first;
  known.first = seq;
  return former === known.latest ? [] : [former];
}
