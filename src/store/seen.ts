import { type Kysely, sql, type Transaction } from 'kysely';
import type { ErasureChange } from '../model/changes/erasure.ts';
import { erasedHead } from '../seen/head.ts';
import {
  firstNumber,
  type KnownSeen,
  type ListedSeen,
  type SeenRemoval,
  type StoredSeen,
} from '../seen/seen-store.ts';
import { removeViewer } from './experiment-rows.ts';
import type { Reading } from './reading.ts';
import type { Tables } from './tables.ts';

/**
 * The rows of what viewers have seen. Their content belongs to `seen/`.
 *
 * A viewer is 16 bytes of a keyed hash, as hexadecimal text of 32 digits. Part 0 is the head, whose number rises with
 * each write. Other parts never change, except that a new one may replace the oldest.
 */

/** Name of the text in `meta` that says which format the contents have, and its value. A write requires it. */
export const SEEN_FORMAT = { name: 'seen_format', value: '1' } as const;

/** See `SeenStore.read`. */
export async function readSeen(
  { db, values, seenSince }: Reading,
  known: readonly KnownSeen[],
): Promise<StoredSeen[]> {
  if (known.length === 0) return [];
  const query = seenSince(JSON.stringify(known.map(({ viewer, number }) => [viewer, number])));
  const rows = new Map<string, StoredSeen>();
  for (const [hash, part, number, content] of await values(query.compile(db))) {
    const viewer = (hash as Uint8Array).toHex();
    if (part === null) rows.set(viewer, { viewer, number: 0, content: undefined, parts: [] });
    else if (part === 0)
      rows.set(viewer, { viewer, number: Number(number), content: content as Uint8Array, parts: [] });
    // Without a head, the row was removed while its parts wait to be removed.
    else rows.get(viewer)?.parts.push({ part: Number(part), content: content as Uint8Array });
  }
  return [...rows.values()];
}

export type SeenErasure = Pick<ErasureChange, 'viewer' | 'seq' | 'applied_at'>;

/**
 * Empties the rows of erased viewers in the transaction that stores the erasures, and leaves tombstones, so that writes
 * under way are refused. The rows that experiments count go, too. Sorted by viewer, as those are.
 */
export async function eraseSeen(
  transaction: Transaction<Tables>,
  erasures: readonly SeenErasure[],
): Promise<void> {
  const sorted = erasures.toSorted((one, other) => (one.viewer < other.viewer ? -1 : 1));
  for (const { viewer: hash, seq, applied_at: updated_at } of sorted) {
    const viewer = Buffer.from(hash, 'hex');
    const content = erasedHead(seq, Math.floor(updated_at * 1000));
    await transaction
      .insertInto('seen')
      .values({ viewer, part: 0, number: firstNumber(updated_at), updated_at, content })
      .onConflict((conflict) =>
        conflict
          .columns(['viewer', 'part'])
          .doUpdateSet({ number: sql<number>`seen.number + 1`, updated_at, content }),
      )
      .execute();
    await transaction.deleteFrom('seen').where('viewer', '=', viewer).where('part', '>', 0).execute();
    await removeViewer(transaction, hash);
  }
}

/** See `SeenRows.list`. Reads no contents. */
export async function listSeen(
  { db, values }: Reading,
  { viewer, part }: Pick<ListedSeen, 'viewer' | 'part'> = { viewer: '', part: -1 },
  most: number,
): Promise<ListedSeen[]> {
  const query = sql`select viewer, part, updated_at, octet_length(content) from seen
    where (viewer, part) > (${Buffer.from(viewer, 'hex')}, ${part}) order by viewer, part limit ${most}`;
  return (await values(query.compile(db))).map(([hash, ...row]) => {
    const [stored_part, updated_at, bytes] = row.map(Number);
    return { viewer: (hash as Uint8Array).toHex(), part: stored_part, updated_at, bytes };
  });
}

/** See `SeenRows.remove`. */
export async function removeSeen(
  transaction: Kysely<Tables>,
  removals: readonly SeenRemoval[],
): Promise<void> {
  for (const { before, viewers, whole } of removals) {
    const hashes = viewers.map((viewer) => Buffer.from(viewer, 'hex'));
    const of_viewers = transaction.deleteFrom('seen').where('viewer', 'in', hashes);
    const old = of_viewers.where('updated_at', '<', before).where('part', whole ? '=' : '>', 0);
    const removed = await old.returning('viewer').execute();
    if (whole && removed.length > 0)
      await transaction
        .deleteFrom('seen')
        .where(
          'viewer',
          'in',
          removed.map(({ viewer }) => viewer),
        )
        .execute();
  }
}
