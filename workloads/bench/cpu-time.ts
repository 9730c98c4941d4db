import { readFileSync } from 'node:fs';

/** Resolution of CPU time on Linux. */
const TICK_MS = 10;

/**
 * CPU time of all threads of a process, in milliseconds. Undefined if the system does not report it.
 *
 * Other programs on the machine hardly affect it, so it is printed beside the rates.
 */
function cpuMs(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses and may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}

/** Runs a function, and measures the CPU time of a process meanwhile, in milliseconds. See `cpuMs`. */
export async function withCpuMs<T>(pid: number, run: () => Promise<T>): Promise<[T, number | undefined]> {
  const before_ms = cpuMs(pid);
  const result = await run();
  const after_ms = cpuMs(pid);
  return [result, before_ms === undefined || after_ms === undefined ? undefined : after_ms - before_ms];
}
