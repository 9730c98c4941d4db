import { LRUCache } from 'lru-cache';

interface Kind {
  next_ms: number;
  held_back: number;
}

/** Kinds that are known at a time. */
const KINDS_MAX = 64;

/** Picks what is logged of what may come a thousand times a second and says the same each time. */
export class OneOfAKind {
  private readonly kinds = new LRUCache<string, Kind>({ max: KINDS_MAX });

  /** @param every_ms from one that is picked to the next of its kind */
  constructor(
    private readonly every_ms: number,
    private readonly monotonic: () => number,
  ) {}

  /** @returns how many of this kind were not picked since the last that was; undefined: neither is this one */
  pick(kind: string): number | undefined {
    const { kinds } = this;
    const now_ms = this.monotonic();
    const known = kinds.get(kind);
    if (known !== undefined && now_ms < known.next_ms) {
      known.held_back++;
      return undefined;
    }
    kinds.set(kind, { next_ms: now_ms + this.every_ms, held_back: 0 });
    return known?.held_back ?? 0;
  }
}
