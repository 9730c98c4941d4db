import { readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/**
 * CPU time that all threads of a process have used; undefined where the system does not tell. Other programs on the machine
 * hardly disturb it, so it is printed beside the rates.
 */
function cpuMs(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program comes in parentheses and may hold spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}

/** Does something, and tells how much CPU time a process took meanwhile, milliseconds, as of `cpuMs`. */
export async function withCpuMs<T>(pid: number, run: () => Promise<T>): Promise<[T, number | undefined]> {
  const before_ms = cpuMs(pid);
  const result = await run();
  const after_ms = cpuMs(pid);
  return [result, before_ms === undefined || after_ms === undefined ? undefined : after_ms - before_ms];
}
