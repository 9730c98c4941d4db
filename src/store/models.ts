import { sql, type Transaction } from 'kysely';
import { MODEL, type ModelChange, type StoredModel, storedModel } from '../model/changes/model.ts';
import { writeAudit } from './audit.ts';
import { type Batch, changesIn } from './batch.ts';
import { readChanges } from './read-changes.ts';
import type { Reading } from './reading.ts';
import type { Tables } from './tables.ts';

/** Adds what was done to models of saved feeds to the audit log, in the transaction that stores it. */
export async function noteModels(transaction: Transaction<Tables>, batch: Batch): Promise<void> {
  for (const { feed, action, actor, applied_at } of changesIn(batch, MODEL.kind)) {
    if (action === 'stored') continue;
    const owner = await transaction
      .selectFrom('feeds')
      .select('account')
      .where('feed_number', '=', feed)
      .executeTakeFirst();
    if (owner === undefined) continue;
    const { account } = owner;
    const entry = { account, at: applied_at, actor, object: `feed_${feed}`, revision: null };
    await writeAudit(transaction, { ...entry, action: `learning.${action}` });
  }
}

/** A model as of a time in seconds. */
export interface FormerModel extends StoredModel {
  at: number;
}

/** What was stored of a model, oldest first. */
export async function modelHistory(
  reading: Reading,
  { feed_type, feed }: Pick<ModelChange, 'feed_type' | 'feed'>,
): Promise<FormerModel[]> {
  const changes = await readChanges(reading, MODEL.kind, sql`feed = ${feed}`);
  return changes
    .filter((change) => change.feed_type === feed_type && change.action === 'stored')
    .map(({ numbers, applied_at }) => ({ at: applied_at, ...storedModel(numbers) }));
}
