interface Kind {
  next_ms: number;
  suppressed_count: number;
}

const KINDS_MAX = 64;
/** Further kinds count as one, so that texts from outside in a kind cannot multiply the lines. */
const OTHERS = '';

/** Rate-limits repeated log lines, per kind. */
export class LogLimiter {
  /** Those logged the longest ago first. */
  private readonly kinds = new Map<string, Kind>();

  /** @param every_ms minimum time between two lines of one kind */
  constructor(
    private readonly every_ms: number,
    private readonly monotonic: () => number,
  ) {}

  /** @returns the number of lines suppressed since the last one of this kind; undefined: suppress this one too */
  pick(kind: string): number | undefined {
    const { kinds } = this;
    const now_ms = this.monotonic();
    const name = kinds.has(kind) || this.hasRoom(now_ms) ? kind : OTHERS;
    const known = kinds.get(name);
    if (known !== undefined && now_ms < known.next_ms) {
      known.suppressed_count++;
      return undefined;
    }
    kinds.delete(name);
    kinds.set(name, { next_ms: now_ms + this.every_ms, suppressed_count: 0 });
    return known?.suppressed_count ?? 0;
  }

  /** Whether a new kind can be remembered, at the cost of those whose time has passed. */
  private hasRoom(now_ms: number): boolean {
    const { kinds } = this;
    for (const [name, { next_ms }] of kinds) {
      if (kinds.size < KINDS_MAX || now_ms < next_ms) break;
      kinds.delete(name);
    }
    return kinds.size < KINDS_MAX;
  }
}
