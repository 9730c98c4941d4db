import { openArms } from './experiments.ts';
import { metaNumber, setMetaNumber } from './meta.ts';
import { inStretches, type Purging, type Steps } from './purge-work.ts';

/** The name of the number in `meta`: outcomes were purged for all versions of experiments up to this `seq`. */
const OUTCOMES_PURGED_SEQ = 'outcomes_purged_seq';

/** Removes the outcomes of ended periods. No steps if no experiment changed since the last purge. */
export async function* purgeOutcomesSteps(purging: Purging): Steps {
  const { db, integersIn } = purging.connection;
  const { seq } = await db
    .selectFrom('experiments')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirstOrThrow();
  const latest = Number(seq ?? 0);
  if (latest <= (await metaNumber(db, OUTCOMES_PURGED_SEQ))) return;
  const open = integersIn(JSON.stringify(await openArms(db)));
  yield* inStretches(purging, async (after, until) => {
    // An experiment that began meanwhile has later outcomes.
    await db
      .deleteFrom('outcomes')
      .where('seq', '>', after)
      .where('seq', '<=', Math.min(until, latest))
      .where('arm', 'not in', open)
      .execute();
  });
  await setMetaNumber(db, OUTCOMES_PURGED_SEQ, latest);
  yield 'step';
}
