import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turns } from '../../turns.ts';

/** The number of ordinals that a scan compares per turn of the event loop: about a millisecond. */
const SLICE = 20_000;

/** Numbered texts, some of which may be missing. */
export interface Scanned {
  /** Ordinals are below this. */
  readonly size: number;
  /** Whether the text of an ordinal is wanted. */
  test(ordinal: number): boolean;
}

/** One scan runs at a time, so that scans cannot take much of the serving thread. */
const scans = new Turns('searches', Number.POSITIVE_INFINITY);
/** One search of an account runs at a time, so that accounts take turns with their scans and reads of the store. */
const searches = new Turns('searches of this account');

/**
 * Runs a search after the earlier ones of its account.
 * @throws ServiceError `overloaded`; the reason of `given_up`; errors of `search`
 */
export function searching<T>(account: string, search: () => Promise<T>, given_up: AbortSignal): Promise<T> {
  return searches.take(account, search, given_up);
}

/** Runs a part of a search while no scan and no such part runs. @throws the reason of `given_up`; errors of `part` */
export function inScanTurn<T>(part: () => Promise<T>, given_up: AbortSignal): Promise<T> {
  return scans.take('all', part, given_up);
}

/**
 * Visits the ordinals whose text is wanted, the latest first, until `visit` returns false. Reads all texts at most, in
 * slices between which other requests are served. Only within `searching`, which limits how many wait.
 * @throws the reason of `given_up`
 */
export function scan(
  { size, test }: Scanned,
  visit: (ordinal: number) => boolean,
  given_up: AbortSignal,
): Promise<void> {
  return inScanTurn(async () => {
    for (let end = size; end > 0; end -= SLICE) {
      given_up.throwIfAborted();
      for (let ordinal = end - 1; ordinal >= Math.max(0, end - SLICE); ordinal--)
        if (test(ordinal) && !visit(ordinal)) return;
      await nextTurn();
    }
  }, given_up);
}
