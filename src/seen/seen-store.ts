/** A row as a reader has it. */
export interface KnownSeen {
  viewer: string;
  /** 0: the reader has nothing. */
  number: number;
}

export interface SeenPart {
  /** From 1. */
  part: number;
  content: Uint8Array;
}

/** What was stored since the reader's number. */
export interface StoredSeen extends KnownSeen {
  /** Undefined if there is no row; then `number` is 0. */
  content: Uint8Array | undefined;
  /** The parts that were stored since. */
  parts: SeenPart[];
}

/** A page that a variant of an experiment decided. */
export interface CountedPage {
  arm: number;
  /** seconds */
  timestamp: number;
  /** Whether it is shorter than requested. */
  is_short: boolean;
  /** Whether a part of the page was recorded before, so that it is no further page. */
  continues?: boolean;
  items: Uint32Array;
  /** Of interleaved variants: for each item the number of the one that chose it, or 0. Otherwise empty. */
  teams: Uint8Array;
  /** The place of the viewer in the experiment. */
  point: number;
}

/** `is_short` as it is stored. */
export function storedLength({ is_short, continues }: Pick<CountedPage, 'is_short' | 'continues'>): number {
  return continues ? CONTINUES : Number(is_short);
}

/** The stored `is_short` of a page that continues another. */
export const CONTINUES = 2;

/** A new head, and the parts that were moved out of it. */
export interface SeenWrite {
  viewer: string;
  /** The number that the stored head must have. 0: there must be no row. */
  built_from: number;
  /** `built_from + 1`, or of a new row see `firstNumber`. */
  number: number;
  /** seconds */
  updated_at: number;
  content: Uint8Array;
  parts: readonly SeenPart[];
  /** A row of `experiment_pages`, if an experiment counts the page. */
  counted?: CountedPage;
}

/** Where rows are kept. */
export interface SeenStore {
  /**
   * Reads the rows whose number is not the known one, in one statement.
   * @throws ServiceError `store_unavailable`
   */
  read(known: readonly KnownSeen[], given_up?: AbortSignal): Promise<StoredSeen[]>;
  /**
   * Writes the heads that still have the number that they were built from, in one statement.
   * @param writes sorted by `viewer`, one a viewer: two writers in different orders would block each other
   * @returns the viewers that were written
   * @throws an error if the outcome is unknown
   */
  write(writes: readonly SeenWrite[]): Promise<string[]>;
}

/** The head (part 0) or a part of a row as it is stored, without its content. */
export interface ListedSeen {
  viewer: string;
  part: number;
  /** When it was written, in seconds. */
  updated_at: number;
  /** The length of the content. */
  bytes: number;
}

/** Rows and parts to remove, unless they were written from a time on, in seconds. */
export interface SeenRemoval {
  before: number;
  viewers: readonly string[];
  /** False: only their parts. */
  whole: boolean;
}

/** What sweeps and examinations need of a store. */
export interface SeenRows extends SeenStore {
  /** The next heads and parts, in the order of viewers and parts. @throws ServiceError `store_unavailable` */
  list(after: Pick<ListedSeen, 'viewer' | 'part'> | undefined, most: number): Promise<ListedSeen[]>;
  /** For the process that leads. @throws ServiceError `store_unavailable` */
  remove(removals: readonly SeenRemoval[]): Promise<void>;
}

/**
 * The number of a new row, by the clock in seconds.
 *
 * It is above all numbers that a removed row of the viewer had, so a reader that still has one reads everything again.
 * It has room for a million writes a second, so no row gets the number before it by counting.
 */
export function firstNumber(now: number): number {
  return Math.floor(now) * 2 ** 20;
}

/** The viewer of an id: 16 bytes of a hash that does not show the id. @param key see `Store.seenKey` */
export function viewerHash(key: Uint8Array, user_id: string): string {
  return new Bun.CryptoHasher('sha256', key).update(user_id).digest('hex').slice(0, 32);
}
