import type { Progress } from './progress.ts';

/** The service's metrics, by name and labels as in `GET /metrics`. */
export type Totals = ReadonlyMap<string, number>;

/** Interval of checking whether a service has warmed up. */
const ASKED_EVERY_MS = 50;

export async function totalsOf(address: string): Promise<Totals> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const samples = text.split('\n').filter((row) => row !== '' && !row.startsWith('#'));
  return new Map(
    samples.map((row) => {
      const at = row.lastIndexOf(' ');
      return [row.slice(0, at), Number(row.slice(at + 1))];
    }),
  );
}

const listsOf = (kind: string) => `feedloom_neighbour_lists{community="content",kind="${kind}"}`;

/**
 * Waits until a new service has built its neighbour lists, which it does while idle.
 *
 * Measurements are made on a service that has run for a while. @returns the number of lists
 */
export async function warmedUp(address: string, progress: Progress): Promise<number> {
  progress.begin('neighbour lists are built ahead', 1);
  for (;;) {
    const totals = await totalsOf(address);
    if (totals.get(listsOf('warming')) !== 1) return totals.get(listsOf('kept')) ?? 0;
    await Bun.sleep(ASKED_EVERY_MS);
  }
}

const FULL_EFFORT = 'feedloom_pages_by_effort_total{community="content",effort="1"}';
const WITH_EFFORT = /^feedloom_pages_by_effort_total\{community="content"/;

/** A line for the table: the share of pages between two readings that were built with full effort. */
export function fullEffort(before: Totals, after: Totals): [string, string] {
  const built = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const pages = [...after.keys()]
    .filter((name) => WITH_EFFORT.test(name))
    .reduce((sum, name) => sum + built(name), 0);
  return ['built with full effort', `${((100 * built(FULL_EFFORT)) / pages).toFixed(1)} % of the pages`];
}
