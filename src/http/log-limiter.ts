import { LRUCache } from 'lru-cache';

interface Kind {
  next_ms: number;
  suppressed_count: number;
}

/** Maximum number of kinds to remember. */
const KINDS_MAX = 64;

/** Rate-limits repeated log lines, per kind. */
export class LogLimiter {
  private readonly kinds = new LRUCache<string, Kind>({ max: KINDS_MAX });

  /** @param every_ms minimum time between two lines of one kind */
  constructor(
    private readonly every_ms: number,
    private readonly monotonic: () => number,
  ) {}

  /** @returns the number of lines suppressed since the last one of this kind; undefined: suppress this one too */
  pick(kind: string): number | undefined {
    const { kinds } = this;
    const now_ms = this.monotonic();
    const known = kinds.get(kind);
    if (known !== undefined && now_ms < known.next_ms) {
      known.suppressed_count++;
      return undefined;
    }
    kinds.set(kind, { next_ms: now_ms + this.every_ms, suppressed_count: 0 });
    return known?.suppressed_count ?? 0;
  }
}
