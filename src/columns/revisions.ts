import { grown } from './growable.ts';

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
