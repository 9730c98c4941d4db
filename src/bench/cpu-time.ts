import { readFileSync } from 'node:fs';

/** Linux counts the time of threads in hundredths of a second. */
const TICK_MS = 10;

/**
 * CPU time that the first thread of a process has used, which in a service is the one that serves; undefined
 * where the system does not tell. Other programs on the machine hardly disturb it, so it is printed beside
 * the rates.
 */
export function servingThreadMs(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    // The name of the program comes in parentheses and may hold spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}
