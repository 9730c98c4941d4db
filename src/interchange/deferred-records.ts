import { inOrderOfNetwork } from '../ingest/merged-content.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { UserContent } from '../model/records/user.ts';
import type { Timed, TimedOfWallets } from './formats.ts';
import type { FileReport } from './report.ts';

/** A record during an import. Records without a line, such as the counters of an item, have no report. */
export type Taken = (Timed | TimedOfWallets) & { line: number; report: FileReport | undefined };

/**
 * Records that only their order distinguishes from known data.
 *
 * These are other versions of known items or users, and opposite acts at the same time. If they were applied in order,
 * each import of the same files would store them again, with the same result. Instead they wait until the end, only the
 * last one of each identity, and then mostly change nothing.
 */
export class DeferredRecords {
  private readonly records = new Map<string, Taken>();

  get size(): number {
    return this.records.size;
  }

  has(identity: string): boolean {
    return this.records.has(identity);
  }

  /** Keeps a record in place of the previous one of this identity. Versions are merged. */
  defer(identity: string, record: Taken): void {
    const former = this.records.get(identity);
    former?.report?.accept(false);
    this.records.set(identity, former === undefined ? record : merged(former, record));
  }

  /** Removes and returns all records. */
  takeAll(): Taken[] {
    const released = [...this.records.values()];
    this.records.clear();
    return released;
  }
}

function merged(former: Taken, next: Taken): Taken {
  if (former.kind === 'items' && next.kind === 'items') {
    // A version that knows less must not remove the description.
    const { completeness } = next.record;
    if (
      former.record.completeness === 'described' &&
      (completeness === 'bare' || completeness === 'undescribed')
    )
      return { ...next, record: former.record };
    const content = mergedVersions(former.record.content, next.record.content);
    return { ...next, record: { ...former.record, ...next.record, content } };
  }
  if (former.kind === 'users' && next.kind === 'users') {
    const content = mergedVersions(former.record.content, next.record.content);
    return { ...next, record: { ...next.record, content } };
  }
  if (former.kind === 'engagement' && next.kind === 'engagement') {
    return { ...next, record: { ...former.record, ...next.record } };
  }
  return next;
}

function mergedVersions<C extends ItemContent | UserContent>(
  former: Partial<C>,
  next: Partial<C>,
): Partial<C> {
  return { ...former, ...inOrderOfNetwork(next, former) };
}
