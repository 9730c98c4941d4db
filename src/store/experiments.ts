import type { Kysely, Transaction } from 'kysely';
import { EXPERIMENT, type ExperimentChange } from '../model/changes/experiment.ts';
import type { ExperimentContent } from '../model/experiment-content.ts';
import { writeAudit } from './audit.ts';
import { type Batch, changesIn } from './batch.ts';
import { feedNumber } from './feeds.ts';
import { inOneMinute } from './minute.ts';
import type { Tables } from './tables.ts';

/**
 * Adds the versions of experiments in a batch to the audit log, in the transaction that stores them, and removes former
 * versions that no replay needs.
 */
export async function noteExperiments(transaction: Transaction<Tables>, batch: Batch): Promise<void> {
  for (const change of changesIn(batch, EXPERIMENT.kind)) {
    const { account, actor, operation, revision, updated_at } = change.content;
    await writeAudit(transaction, {
      account,
      at: updated_at,
      actor,
      action: `experiment.${operation}`,
      object: `exp_${change.experiment}`,
      revision: operation === 'delete' ? null : revision,
    });
    await keepPinned(transaction, change);
    if (operation !== 'delete') await thinOut(transaction, change);
    else
      await transaction
        .deleteFrom('experiments')
        .where('experiment_number', '=', change.experiment)
        .where('seq', '<', change.seq)
        .execute();
  }
}

/** Replaces what is noted of the revisions that an experiment serves. */
export async function keepPinned(
  db: Kysely<Tables>,
  {
    experiment: experiment_number,
    content: { status, pinned },
  }: Pick<ExperimentChange, 'experiment' | 'content'>,
): Promise<void> {
  await db.deleteFrom('pinned_revisions').where('experiment_number', '=', experiment_number).execute();
  const pins = status === 'running' ? Object.entries(pinned) : [];
  for (const [feed_id, revision] of pins) {
    const feed_number = feedNumber(feed_id);
    if (feed_number !== undefined)
      await db.insertInto('pinned_revisions').values({ feed_number, revision, experiment_number }).execute();
  }
}

const FORMER_READ = 3;

/**
 * Keeps the former versions of an experiment small, as each has the whole content: of those of one minute only the latest
 * stays, and they lose their texts and totals.
 *
 * A version of each minute stays because the learner of trends gets its times from the rows. The version before the new
 * one is left to the next change, because another node may be reading it. A purge removes the rest.
 */
async function thinOut(
  transaction: Transaction<Tables>,
  { experiment, seq }: ExperimentChange,
): Promise<void> {
  const versions = await transaction
    .selectFrom('experiments')
    .select(['seq', 'applied_at', 'content'])
    .where('experiment_number', '=', experiment)
    .where('seq', '<', seq)
    .orderBy('seq', 'desc')
    .limit(FORMER_READ)
    .execute();
  for (let at = 1; at < versions.length; at++) {
    const { seq: former, applied_at, content } = versions[at];
    if (inOneMinute(applied_at, versions[at - 1].applied_at))
      await transaction.deleteFrom('experiments').where('seq', '=', former).execute();
    else
      await transaction
        .updateTable('experiments')
        .set({ content: JSON.stringify(withoutDetails(JSON.parse(content))) })
        .where('seq', '=', former)
        .execute();
  }
}

/** What decides which variant a viewer gets. Only the latest version of an experiment is shown. */
function withoutDetails(content: ExperimentContent): ExperimentContent {
  const variants = content.variants.map((variant) => ({ ...variant, name: '', left: [] }));
  return { ...content, name: '', variants, ended: [] };
}

export async function openArms(db: Kysely<Tables>): Promise<number[]> {
  const rows = await db
    .selectFrom('experiments')
    .select(['experiment_number', 'content'])
    .orderBy('seq')
    .execute();
  const latest = new Map(rows.map(({ experiment_number, content }) => [experiment_number, content]));
  return [...latest.values()].flatMap((content) => {
    const { operation, status, variants } = JSON.parse(content) as ExperimentContent;
    return operation !== 'delete' && status === 'running' ? variants.map(({ arm }) => arm) : [];
  });
}
