import type { Kysely, Transaction } from 'kysely';
import type { ExperimentContent } from '../state/change.ts';
import { writeAudit } from './audit.ts';
import type { Batch } from './batch.ts';
import { changeAt } from './rows.ts';
import type { Tables } from './tables.ts';

/**
 * Adds the versions of experiments in a batch to the audit log, in the transaction that stores them, and removes what
 * precedes a deletion.
 */
export async function noteExperiments(transaction: Transaction<Tables>, { tables }: Batch): Promise<void> {
  const rows = tables.find(({ kind }) => kind === 'experiment')?.rows;
  for (let at = 0; at < (rows?.seqs.length ?? 0); at++) {
    const change = rows && changeAt('experiment', rows, at);
    if (change?.kind !== 'experiment') continue;
    const { account, actor, operation, revision, updated_at } = change.content;
    await writeAudit(transaction, {
      account,
      at: updated_at,
      actor,
      action: `experiment.${operation}`,
      object: `exp_${change.experiment}`,
      revision: operation === 'delete' ? null : revision,
    });
    if (operation !== 'delete') continue;
    await transaction
      .deleteFrom('experiments')
      .where('experiment_number', '=', change.experiment)
      .where('seq', '<', change.seq)
      .execute();
  }
}

/** The arms of running experiments. */
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
