import { reasonOf } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Key } from '../model/key.ts';
import { decodeHead, decodeRuns, type SeenRun } from '../seen/head.ts';
import { PARTS_MAX } from '../seen/next-head.ts';
import type { StoredSeen } from '../seen/seen-store.ts';
import { SEEN_FORMAT } from '../store/seen.ts';
import type { Store } from '../store/store.ts';
import type { Check } from './check.ts';

/** The rows of what viewers have seen, with all their parts, that are in memory at a time. */
const VIEWERS_READ = 100;

/** What a fault costs, and how to end it. */
export const SHOWN_AGAIN =
  "remove the row and its parts from the table 'seen' while no service runs; its viewer is then shown the same items again";

/** The highest of some numbers, and which row has it. */
interface Highest {
  value: number;
  viewer: string;
}

/** Checks the rows of what viewers have seen: a row at a time, since a service may write them meanwhile. */
export class SeenRowsCheck {
  viewers = 0;
  parts = 0;
  items = 0;
  private key: Highest = { value: -1, viewer: '' };
  private erasure: Highest = { value: 0, viewer: '' };

  constructor(private readonly check: Check) {}

  /** @param format the one that is named in `meta` */
  async read(seen: Store['seen'], format: string): Promise<void> {
    if (format !== SEEN_FORMAT.value)
      this.check.fault(
        'format',
        `rows have the format '${format}', and this version reads '${SEEN_FORMAT.value}'`,
      );
    for (let after: { viewer: string; part: number } | undefined; ; ) {
      const listed = await seen.list(after, LIMITS.seen_listed_max);
      const viewers = [...new Set(listed.map(({ viewer }) => viewer))];
      for (let at = 0; at < viewers.length; at += VIEWERS_READ)
        await this.readRows(seen, viewers.slice(at, at + VIEWERS_READ));
      const last = viewers.at(-1);
      if (last === undefined || listed.length < LIMITS.seen_listed_max) return;
      after = { viewer: last, part: PARTS_MAX };
    }
  }

  /** Judges what rows refer to. @param next_key of items @param highest_seq both as of after `read` */
  finish(next_key: Key, highest_seq: number): void {
    const { key, erasure, check } = this;
    if (key.value >= next_key)
      check.fault('item', `${placeOf(key.viewer)} refers to item ${key.value}, which has no name`);
    if (erasure.value > highest_seq)
      check.fault('erasure', `${placeOf(erasure.viewer)} has an erasure that is not stored`);
  }

  private async readRows(seen: Store['seen'], viewers: readonly string[]): Promise<void> {
    const stored = await seen.read(viewers.map((viewer) => ({ viewer, number: 0 })));
    const rows = new Map(stored.map((row) => [row.viewer, row]));
    for (const viewer of viewers) {
      const row = rows.get(viewer);
      if (row?.content !== undefined) this.note(row, row.content);
      else if (await hasPartsAlone(seen, viewer))
        this.check.fault('alone', `${placeOf(viewer)} has parts and no head`);
    }
  }

  private note({ viewer, parts }: StoredSeen, content: Uint8Array): void {
    this.viewers++;
    this.parts += parts.length;
    const place = placeOf(viewer);
    const head = this.readable('head', place, () => decodeHead(content));
    if (head === undefined) return;
    this.noteRuns(viewer, [...head.days, ...head.pages]);
    if (head.erased_seq > this.erasure.value) this.erasure = { value: head.erased_seq, viewer };
    for (const { part, content: bytes } of parts) {
      if (part > Math.min(head.moved, PARTS_MAX))
        this.check.fault('beyond', `${place} has part ${part}, and its head moved ${head.moved} out`);
      const runs = this.readable('part', `part ${part} of ${place}`, () => decodeRuns(bytes));
      if (runs !== undefined) this.noteRuns(viewer, runs);
    }
  }

  private noteRuns(viewer: string, runs: readonly SeenRun[]): void {
    for (const { keys } of runs) {
      this.items += keys.length;
      for (const value of keys) if (value > this.key.value) this.key = { value, viewer };
    }
  }

  private readable<T>(kind: string, what: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.check.fault(kind, `${what} cannot be read (${reasonOf(error)})`);
      return undefined;
    }
  }
}

function placeOf(viewer: string): string {
  return `row ${viewer} of the table 'seen'`;
}

/** False if the row has been removed or written meanwhile. */
async function hasPartsAlone(seen: Store['seen'], viewer: string): Promise<boolean> {
  const [first] = await seen.list({ viewer, part: -1 }, 1);
  return first?.viewer === viewer && first.part > 0;
}
