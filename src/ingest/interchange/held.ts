import type { Timed } from './formats.ts';
import type { FileReport } from './report.ts';

/** A record on its way in; one that belongs to no line, such as the counters of an item, has no report. */
export type Taken = Timed & { line: number; report: FileReport | undefined };

/**
 * Records that only their order sets apart from what is known: another version of a known item or user, or
 * the opposite act of the same moment. Taken as they come, each import of the same files would store them
 * anew, to end where it began. They wait instead, the last of each identity alone, until nothing else is
 * left, and then mostly turn out to say nothing new.
 */
export class Held {
  private readonly records = new Map<string, Taken>();

  get size(): number {
    return this.records.size;
  }

  has(identity: string): boolean {
    return this.records.has(identity);
  }

  /** Keeps a record in place of the former one of this identity; of versions, fields given replace. */
  hold(identity: string, record: Taken): void {
    const former = this.records.get(identity);
    former?.report?.accept(false);
    this.records.set(identity, former === undefined ? record : merged(former, record));
  }

  /** Everything that is held, or what is held of one kind, and is no longer. */
  release(kind?: Taken['kind']): Taken[] {
    const released: Taken[] = [];
    for (const [identity, record] of this.records) {
      if (kind !== undefined && record.kind !== kind) continue;
      released.push(record);
      this.records.delete(identity);
    }
    return released;
  }
}

function merged(former: Taken, next: Taken): Taken {
  if (former.kind === 'items' && next.kind === 'items') {
    // That somewhere else less is known takes nothing back.
    const less = former.record.standing === 'described' && next.record.standing !== 'described';
    if (less) return { ...next, record: former.record };
    const content = { ...former.record.content, ...next.record.content };
    return { ...next, record: { ...former.record, ...next.record, content } };
  }
  if (former.kind === 'users' && next.kind === 'users') {
    const content = { ...former.record.content, ...next.record.content };
    return { ...next, record: { ...next.record, content } };
  }
  if (former.kind === 'engagement' && next.kind === 'engagement') {
    return { ...next, record: { ...former.record, ...next.record } };
  }
  return next;
}
