import { median } from '../../src/statistics.ts';
import type { Server } from './children.ts';
import type { Run } from './context.ts';
import { withCpuMs } from './cpu-time.ts';
import type { Driver } from './load.ts';

/** CPU time has a resolution of 10 ms, which must be small relative to that of a turn. */
const TURN_REQUESTS_MIN = 500;

/** The result of one turn of full load. */
export interface Turn {
  per_s: number;
  /** CPU time of all threads of the server. Undefined if the system does not report it. */
  cpu_us: number | undefined;
}

/** Runs a turn of full load on one server. */
export function turn(
  { world }: Run,
  server: Server,
  driver: Driver,
  next: () => string,
): () => Promise<Turn> {
  return async () => {
    const drive = () => driver.full(world.effort.turn_ms, next, TURN_REQUESTS_MIN);
    const [load, cpu_ms] = await withCpuMs(server.pid, drive);
    return { per_s: load.per_s, cpu_us: cpu_ms === undefined ? undefined : (1000 * cpu_ms) / load.requests };
  };
}

export function rates(turns: readonly Turn[]): number[] {
  return turns.map(({ per_s }) => per_s);
}

/** CPU time per request of each turn. Undefined if the system does not report it. */
export function cpuTimes(turns: readonly Turn[]): number[] | undefined {
  const known = turns.flatMap(({ cpu_us }) => (cpu_us === undefined ? [] : [cpu_us]));
  return known.length === turns.length ? known : undefined;
}

/** The rate, and the CPU time per request with minimum and maximum. @param bare turns to compare with */
export function turnText(turns: readonly Turn[], bare?: readonly Turn[]): string {
  const rate = `${Math.round(median(rates(turns))).toLocaleString('en-US')}/s`;
  const own_us = cpuTimes(turns);
  if (own_us === undefined) return rate;
  const spread = `(${Math.min(...own_us).toFixed(0)} to ${Math.max(...own_us).toFixed(0)})`;
  const bare_us = bare && cpuTimes(bare);
  const share = bare_us === undefined ? '' : `  ${(median(bare_us) / median(own_us)).toFixed(3)}`;
  return `${rate}  ${median(own_us).toFixed(0).padStart(6)} µs ${spread}${share}`;
}
