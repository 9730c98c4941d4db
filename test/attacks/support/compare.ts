import { times } from '../../support/long.ts';
import type { Stage } from './stage.ts';

/** Attacks last longer in long runs and are repeated more often. */
export const LONG = times(1) > 1;

/** Maximum slowdown of others by an attack, relative to as many harmless requests. */
export const RATIO_MAX = 3;
/** Pages faster than this are not compared, because they differ by chance. */
const LEAST_MS = 5;

/**
 * Runs until it is stopped. Connections and requests that it leaves open must not disturb later rounds.
 * @param going aborted when the pages have been read
 */
export type Load = (stage: Stage, going: AbortSignal) => Promise<void>;

export interface CompareOptions {
  pages?: number;
  rounds?: number;
  /** Whether each page uses a new connection. */
  close?: boolean;
}

export interface Compared {
  /** Page time of the other account: p99 of the median round. */
  attack_ms: number;
  control_ms: number;
  /** `attack_ms` / `control_ms` of the median round. */
  ratio: number;
}

/** Measures pages of another account during a load, alternating between the attack and a harmless control. */
export async function compare(
  stage: Stage,
  attack: Load,
  control: Load,
  { pages = LONG ? 1_000 : 150, rounds = LONG ? 9 : 3, close = false }: CompareOptions = {},
): Promise<Compared> {
  const found: Compared[] = [];
  for (let round = 0; round < rounds; round++) {
    const control_ms = await p99Beside(stage, control, pages, close);
    const attack_ms = await p99Beside(stage, attack, pages, close);
    found.push({
      control_ms,
      attack_ms,
      ratio: Math.max(attack_ms, LEAST_MS) / Math.max(control_ms, LEAST_MS),
    });
  }
  const middle = found.sort((one, other) => one.ratio - other.ratio)[Math.floor(rounds / 2)];
  console.log(
    `p99 beside the attack ${middle.attack_ms.toFixed(1)} ms, beside the control ${middle.control_ms.toFixed(1)} ms`,
  );
  return middle;
}

/** p99 of pages that are read one after another during a load, ms. */
async function p99Beside(stage: Stage, load: Load, pages: number, close: boolean): Promise<number> {
  const going = new AbortController();
  const loaded = load(stage, going.signal);
  const times: number[] = [];
  try {
    for (let page = 0; page < pages; page++) {
      const start_ms = performance.now();
      const { status } = await stage.page(close);
      if (status !== 200) throw new Error(`a page of another account was answered with ${status}`);
      times.push(performance.now() - start_ms);
    }
  } finally {
    going.abort();
    await loaded;
  }
  return times.sort((one, other) => one - other)[Math.ceil(0.99 * pages) - 1];
}

/** Resolves when a signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
