import { readFileSync, writeFileSync } from 'node:fs';

/** The highest preference of the kernel for a process that is to be killed when memory is short. */
const KILLED_FIRST = '1000';

/** Makes the kernel kill a child process before others when memory is short. Does nothing on systems other than Linux. */
export function killFirst(process_id: number): void {
  try {
    writeFileSync(`/proc/${process_id}/oom_score_adj`, KILLED_FIRST);
  } catch {
    // The process has already ended, or the system has no such file.
  }
}

export interface MemoryLimit {
  bytes: number;
  /** Whether a control group sets it: systemd, a container. Otherwise it is the memory of the machine. */
  is_of_group: boolean;
}

/**
 * The memory that a process may use. Undefined if it cannot be read, as on systems other than Linux.
 * @param process_id default: this process
 * @param root the folder that has `proc` and `sys`
 */
export function memoryLimit(process_id: number | 'self' = 'self', root = '/'): MemoryLimit | undefined {
  const [, total_kb] = /^MemTotal:\s+(\d+) kB/m.exec(textOf(`${root}proc/meminfo`) ?? '') ?? [];
  if (total_kb === undefined) return undefined;
  const machine = Number(total_kb) * 1024;
  const groups = textOf(`${root}proc/${process_id}/cgroup`) ?? '';
  const limits = groups.split('\n').flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === '') return limitsAbove(`${root}sys/fs/cgroup`, path, 'memory.max');
    return controllers?.split(',').includes('memory')
      ? limitsAbove(`${root}sys/fs/cgroup/memory`, path, 'memory.limit_in_bytes')
      : [];
  });
  const bytes = Math.min(machine, ...limits);
  return { bytes, is_of_group: bytes < machine };
}

/** The limits of a group and of those that it is in. Within a container, paths may begin outside of what it can see. */
function limitsAbove(folder: string, path: string, file: string): number[] {
  const steps = path.split('/').filter((step) => step !== '');
  const groups = steps.map((_, at) => `${folder}/${steps.slice(0, at + 1).join('/')}`);
  return [folder, ...groups].flatMap((group) => {
    const text = textOf(`${group}/${file}`)?.trim() ?? '';
    return /^\d+$/.test(text) ? [Number(text)] : [];
  });
}

/** Bytes of a process that are in memory. Undefined if they cannot be read. */
export function residentBytes(process_id: number, root = '/'): number | undefined {
  const [, kb] = /^VmRSS:\s+(\d+) kB/m.exec(textOf(`${root}proc/${process_id}/status`) ?? '') ?? [];
  return kb === undefined ? undefined : Number(kb) * 1024;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
