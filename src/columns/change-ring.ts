import { grown } from './growable.ts';

/** The number of latest changes that a ring holds. */
export const CHANGES_KEPT = 4096;
/** The number of changes after which idle derived data is updated, long before the ring overflows. */
export const KEEP_UP = CHANGES_KEPT / 4;

/** Recently changed items in order of change, for updating derived data. */
export class ChangeRing {
  private readonly ring = new Int32Array(CHANGES_KEPT);
  /** The number of changes so far. It is the version of derived data. */
  version = 0;

  note(item: number): void {
    this.ring[this.version % CHANGES_KEPT] = item;
    this.version++;
  }

  /** At most `limit` items changed since `version`, newest first, possibly repeated. */
  since(version: number, limit: number): number[] {
    const oldest = Math.max(version, this.version - Math.min(limit, CHANGES_KEPT));
    const items: number[] = [];
    for (let at = this.version - 1; at >= oldest; at--) items.push(this.ring[at % CHANGES_KEPT]);
    return items;
  }
}

/** Counts the changes of each subject. Caches use the count as a version. */
export class Revisions {
  private revisions = new Uint32Array(64);

  of(subject: number): number {
    return subject < this.revisions.length ? this.revisions[subject] : 0;
  }

  note(subject: number): void {
    this.revisions = grown(this.revisions, subject + 1);
    this.revisions[subject]++;
  }
}
