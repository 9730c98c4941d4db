import { erasedHead } from '../seen/head.ts';
import {
  firstNumber,
  type KnownSeen,
  type ListedSeen,
  type SeenPart,
  type SeenRows,
  type SeenWrite,
  type StoredSeen,
} from '../seen/seen-store.ts';
import type { SeenErasure } from './seen.ts';

interface Row {
  number: number;
  content: Uint8Array;
  parts: Map<number, SeenPart & { number: number }>;
}

/** The rows of a community in memory. */
export class VolatileSeen implements SeenRows {
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

  /** Rows in memory are not listed, as they end with the process. */
  async list(): Promise<ListedSeen[]> {
    return [];
  }

  async remove(): Promise<void> {}

  /** See `eraseSeen`. */
  erase({ viewer, seq, applied_at }: SeenErasure): void {
    const number = (this.rows.get(viewer)?.number ?? firstNumber(applied_at) - 1) + 1;
    const content = erasedHead(seq, Math.floor(applied_at * 1000));
    this.rows.set(viewer, { number, content, parts: new Map() });
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
