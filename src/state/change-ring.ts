/**
 * The items whose score-relevant columns changed lately, in order of change: what a derived ranking must
 * look at again. Holds the last `CAPACITY` changes.
 */
const CAPACITY = 4096;

export class ChangeRing {
  private readonly ring = new Int32Array(CAPACITY);
  /** Changes ever noted: the version of every item-only ranking. */
  version = 0;

  note(item: number): void {
    this.ring[this.version % CAPACITY] = item;
    this.version++;
  }

  /** Items changed since `version`, newest first, possibly repeated; at most `limit`. */
  since(version: number, limit: number): number[] {
    const oldest = Math.max(version, this.version - Math.min(limit, CAPACITY));
    const items: number[] = [];
    for (let at = this.version - 1; at >= oldest; at--) items.push(this.ring[at % CAPACITY]);
    return items;
  }
}
