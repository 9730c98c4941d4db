/** Changes that a ring holds: the last ones. */
export const CHANGES_KEPT = 4096;
/** Changes after which what nobody asks for takes them in: long before there are more than the ring holds. */
export const KEEP_UP = CHANGES_KEPT / 4;

/** Items that changed lately, in order of change: what something derived from them must look at again. */
export class ChangeRing {
  private readonly ring = new Int32Array(CHANGES_KEPT);
  /** Changes ever noted: the version of whatever is derived. */
  version = 0;

  note(item: number): void {
    this.ring[this.version % CHANGES_KEPT] = item;
    this.version++;
  }

  /** Items changed since `version`, newest first, possibly repeated; at most `limit`. */
  since(version: number, limit: number): number[] {
    const oldest = Math.max(version, this.version - Math.min(limit, CHANGES_KEPT));
    const items: number[] = [];
    for (let at = this.version - 1; at >= oldest; at--) items.push(this.ring[at % CHANGES_KEPT]);
    return items;
  }
}
