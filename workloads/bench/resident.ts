import { readFileSync } from 'node:fs';

/** Resident memory of a process, for the table. '' if the system does not report it. */
export function residentText(pid: number): string {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return `${((Number(kilobytes) * 1024) / 1e6).toFixed(0)} MB`;
  } catch {
    return '';
  }
}
