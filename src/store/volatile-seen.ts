import type { KnownSeen, SeenPart, SeenStore, SeenWrite, StoredSeen } from '../seen/seen-store.ts';

interface Row {
  number: number;
  content: Uint8Array;
  parts: Map<number, SeenPart & { number: number }>;
}

/** The rows of a community in memory. */
export class VolatileSeen implements SeenStore {
  private readonly rows = new Map<string, Row>();

  async read(known: readonly KnownSeen[]): Promise<StoredSeen[]> {
    return known.flatMap(({ viewer, number: since }): StoredSeen[] => {
      const row = this.rows.get(viewer);
      if ((row?.number ?? 0) === since) return [];
      if (row === undefined) return [{ viewer, number: 0, content: undefined, parts: [] }];
      const { number, content } = row;
      return [
        { viewer, number, content, parts: [...row.parts.values()].filter((part) => part.number > since) },
      ];
    });
  }

  async write(writes: readonly SeenWrite[]): Promise<string[]> {
    const fit = writes.filter(
      ({ viewer, built_from }) => (this.rows.get(viewer)?.number ?? 0) === built_from,
    );
    for (const { viewer, number, content, parts } of fit) {
      const kept = this.rows.get(viewer)?.parts ?? new Map();
      for (const part of parts) kept.set(part.part, { ...part, number });
      this.rows.set(viewer, { number, content, parts: kept });
    }
    return fit.map(({ viewer }) => viewer);
  }
}
