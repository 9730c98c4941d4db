/** How long pages took under one variant at this node. */
export interface PageTimes {
  pages: number;
  mean_ms: number;
}

/**
 * Times of pages per arm, of this process since it started.
 *
 * They are not part of the log: nodes differ in speed, and a time is not known when its impression is stored.
 */
export class ArmTimes {
  private readonly sums = new Map<number, { pages: number; sum_ms: number }>();

  /** @param isOpen whether an arm is still in use */
  constructor(private readonly isOpen: (arm: number) => boolean) {}

  note(arm: number, page_ms: number): void {
    const sums = this.sums.get(arm);
    if (sums === undefined) {
      for (const former of this.sums.keys()) if (!this.isOpen(former)) this.sums.delete(former);
      this.sums.set(arm, { pages: 1, sum_ms: page_ms });
      return;
    }
    sums.pages++;
    sums.sum_ms += page_ms;
  }

  /** Null if no page was built. */
  of(arm: number): PageTimes | null {
    const sums = this.sums.get(arm);
    return sums === undefined ? null : { pages: sums.pages, mean_ms: sums.sum_ms / sums.pages };
  }
}
