import { readFileSync } from 'node:fs';

/**
 * The soft limit of open files of a process. Infinity for unlimited.
 *
 * Undefined if it cannot be read: on systems other than Linux, or for a process of another account.
 * @param process_id default: this process
 */
export function openFilesLimit(process_id: number | 'self' = 'self'): number | undefined {
  try {
    const limits = readFileSync(`/proc/${process_id}/limits`, 'utf8');
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
    if (soft === undefined) return undefined;
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return undefined;
  }
}
