import type { SeenRow } from './seen-row.ts';

/** The rows that were used last, within a limit of memory. */
export class RowCache {
  private readonly rows = new Map<string, { row: SeenRow; bytes: number }>();
  private used_bytes = 0;

  constructor(private readonly bytes_max: number) {}

  get size(): number {
    return this.rows.size;
  }

  get bytes(): number {
    return this.used_bytes;
  }

  /** Returns a row, and counts it as used. */
  get(viewer: string): SeenRow | undefined {
    const entry = this.rows.get(viewer);
    if (entry === undefined) return undefined;
    this.rows.delete(viewer);
    this.rows.set(viewer, entry);
    return entry.row;
  }

  /** Adds or replaces a row, and evicts those that were used longest ago. */
  set(row: SeenRow): void {
    this.delete(row.viewer);
    const { bytes } = row;
    this.rows.set(row.viewer, { row, bytes });
    this.used_bytes += bytes;
    for (const viewer of this.rows.keys()) {
      if (this.used_bytes <= this.bytes_max) return;
      this.delete(viewer);
    }
  }

  delete(viewer: string): void {
    this.used_bytes -= this.rows.get(viewer)?.bytes ?? 0;
    this.rows.delete(viewer);
  }
}
