import { readFileSync } from 'node:fs';

/** Memory that a process keeps resident, for the table; '' where the system does not tell. */
export function residentText(pid: number): string {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return `${((Number(kilobytes) * 1024) / 1e6).toFixed(0)} MB`;
  } catch {
    return '';
  }
}
