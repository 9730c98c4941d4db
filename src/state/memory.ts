import { dlopen, ptr } from 'bun:ffi';

/** From so many bytes on large pages pay: below, what is read fits into the processor's caches anyway. */
const LARGE_BYTES = 4 * 1024 * 1024;
const PAGE_BYTES = 4096;
/** `MADV_HUGEPAGE` of Linux. */
const HUGE_PAGES = 14;
/** The C library by its names with glibc and musl. */
const C_LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'];

type Advise = (address: number, bytes: number, advice: number) => number;

/** Found at the first large piece of memory; undefined: there is none on this system. */
let advise: Advise | undefined | null = null;

/**
 * Memory of 0s. The kernel is asked to give large pieces in pages of 2 MB: requests read all over hundreds of
 * megabytes, and with pages of 4 kB the processor spends a seventh of a for-you page on finding where they are.
 * Where it has none to give, or is no Linux, nothing changes.
 */
export function zeroedMemory(bytes: number): ArrayBuffer {
  const memory = new ArrayBuffer(bytes);
  if (bytes < LARGE_BYTES) return memory;
  if (advise === null) advise = findAdvise();
  const address: number = ptr(memory);
  const first = Math.ceil(address / PAGE_BYTES) * PAGE_BYTES;
  advise?.(first, Math.floor((address + bytes - first) / PAGE_BYTES) * PAGE_BYTES, HUGE_PAGES);
  return memory;
}

function findAdvise(): Advise | undefined {
  if (process.platform !== 'linux') return undefined;
  for (const library of C_LIBRARIES) {
    try {
      return dlopen(library, { madvise: { args: ['usize', 'usize', 'i32'], returns: 'i32' } }).symbols
        .madvise as unknown as Advise;
    } catch {
      // Another C library, or none that can be asked.
    }
  }
  return undefined;
}
