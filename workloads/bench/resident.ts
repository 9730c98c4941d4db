import { readFileSync } from 'node:fs';

/** Resident memory of a process. Undefined if the system does not report it. */
export function residentMb(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return undefined;
  }
}

/** Resident memory of a process, for the table. '' if the system does not report it. */
export function residentText(pid: number): string {
  const resident_mb = residentMb(pid);
  return resident_mb === undefined ? '' : `${resident_mb.toFixed(0)} MB`;
}
