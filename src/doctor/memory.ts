import { type MemoryLimit, memoryLimit, residentBytes } from '../platform/memory-limit.ts';
import { type Finding, megabytes, ok, warn } from './finding.ts';

/** What a process needs beside the state. */
const PROGRAM_BYTES = 100_000_000;

/**
 * Compares the memory that a service may use with what it needs: the state, and once more for the process that writes a
 * checkpoint. Nothing to find on systems other than Linux.
 * @param service_pid of the running service
 * @param checkpoint_bytes size of the last checkpoint, which is about that of the state; 0 if there is none
 */
export function memoryFindings(service_pid: number | undefined, checkpoint_bytes: number): Finding[] {
  const limit = memoryLimit(service_pid) ?? memoryLimit();
  const resident = service_pid === undefined ? undefined : residentBytes(service_pid);
  return limit === undefined ? [] : [compared(limit, checkpoint_bytes, resident)];
}

/** @param resident bytes of the running service; undefined: none runs, or it cannot be examined */
export function compared(
  { bytes, is_of_group }: MemoryLimit,
  checkpoint_bytes: number,
  resident: number | undefined,
): Finding {
  const whose = is_of_group ? 'the service may use' : 'the machine has';
  const found = `${whose} ${megabytes(bytes)}`;
  if (checkpoint_bytes === 0 && resident === undefined) return ok('memory', found);
  const copy = PROGRAM_BYTES + checkpoint_bytes;
  const own = Math.max(copy, resident ?? 0);
  const needed = `${megabytes(own)} for the service`;
  const more = is_of_group
    ? 'raise MemoryMax= (systemd), --memory (containers) or resources.limits.memory (Kubernetes) to'
    : 'use a machine with more memory, at least';
  const remedy = `${more} ${megabytes(own + copy)}, or set FEEDLOOM_RETENTION_DAYS`;
  if (own > bytes) return warn('memory', `${found}, less than ${needed}: it is killed`, remedy);
  if (own + copy <= bytes)
    return ok('memory', `${found}; ${needed}, and ${megabytes(copy)} while a checkpoint is written`);
  return warn(
    'memory',
    `${found}, less than ${needed} and ${megabytes(copy)} for the process that writes checkpoints: that one is killed, and starts take longer and longer`,
    remedy,
  );
}
