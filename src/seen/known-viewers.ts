const DIGITS = 13;

/** 52 bits of a hash. */
const prefixOf = (viewer: string): number => Number.parseInt(viewer.slice(0, DIGITS), 16);

/** The viewers with a user record, at 8 bytes each. In rare cases it takes a stranger for one of them. */
export class KnownViewers {
  private constructor(private readonly sorted: Float64Array) {}

  /** @param slice awaited after some hundred of the viewers */
  static async of(viewers: Iterable<string>, slice: () => Promise<void>): Promise<KnownViewers> {
    const prefixes: number[] = [];
    for (const viewer of viewers) if (prefixes.push(prefixOf(viewer)) % 500 === 0) await slice();
    return new KnownViewers(Float64Array.from(prefixes).sort());
  }

  has(viewer: string): boolean {
    const prefix = prefixOf(viewer);
    let from = 0;
    for (let until = this.sorted.length; from < until; ) {
      const middle = (from + until) >>> 1;
      if (this.sorted[middle] < prefix) from = middle + 1;
      else until = middle;
    }
    return this.sorted[from] === prefix;
  }
}
