import { type Pointer, ptr } from 'bun:ffi';
import { readFileSync } from 'node:fs';
import { fromCLibrary } from './c-library.ts';

/** The kernel's setting for huge pages: `always`, `madvise` (on request) or `never`. */
const SWITCH = '/sys/kernel/mm/transparent_hugepage/enabled';
/** The size of a huge page in bytes on x86-64, and on ARM with pages of 4 kB. */
const HUGE_PAGE = 2 * 1024 * 1024;
/** Smaller arrays are not moved. */
const LARGE_BYTES = 512 * 1024;
/** Pause before the next search for arrays if the last one found none. Arrays grow, so new ones appear. */
const SEARCH_AGAIN_MS = 10_000;
/** Longer lists and maps contain no columns, so they are not searched. */
const ELEMENTS_MAX = 4_096;

/** `madvise` advice of Linux: allows huge pages. */
const MADV_HUGEPAGE = 14;
/** Moves memory into huge pages now. Since Linux 6.1; older kernels do so in the background. */
const MADV_COLLAPSE = 25;

/** Gives the kernel advice on a range of memory. */
export type Advise = (address: number, bytes: number, advice: number) => void;

/**
 * Moves large arrays into huge pages, 2 MB at a time.
 *
 * A request reads a thousand places in hundreds of megabytes. With pages of 4 kB nearly each read misses the
 * processor's TLB, which costs a tenth of the time. The engine asks for small pages, so this class asks again. It does
 * nothing on other systems than Linux, and if the operator disabled huge pages
 * (`/sys/kernel/mm/transparent_hugepage/enabled` is `never`).
 */
export class HugePages {
  /** Arrays that were found before. */
  private readonly done = new WeakSet<ArrayBufferLike>();
  /** Queued ranges of memory. `end` is exclusive. */
  private waiting: { buffer: ArrayBufferLike; at: number; end: number }[] = [];
  private searched_ms = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly roots: readonly object[],
    private readonly monotonicMs: () => number,
    private readonly advise: Advise | undefined = kernelAdvice(),
  ) {}

  /** Moves the next 2 MB. Returns false if there is nothing to do now. 1 to 12 ms. */
  step(): boolean {
    if (this.advise === undefined) return false;
    if (this.waiting.length === 0 && !this.search()) return false;
    const range = this.waiting[this.waiting.length - 1];
    // A grown array has moved, so its buffer is empty. The next search finds the new one.
    if (range.buffer.byteLength > 0) this.advise(range.at, HUGE_PAGE, MADV_COLLAPSE);
    range.at += HUGE_PAGE;
    if (range.at >= range.end || range.buffer.byteLength === 0) this.waiting.pop();
    return true;
  }

  /** Finds new or moved arrays. Returns false if there are none. */
  private search(): boolean {
    const now_ms = this.monotonicMs();
    if (now_ms - this.searched_ms < SEARCH_AGAIN_MS) return false;
    this.searched_ms = now_ms;
    for (const buffer of largeBuffers(this.roots)) {
      if (this.done.has(buffer)) continue;
      this.done.add(buffer);
      const first = ptr(buffer);
      // Rounds outwards: neighbours are close, and the pages at both ends belong to the array, too.
      const at = Math.floor(first / HUGE_PAGE) * HUGE_PAGE;
      const end = Math.ceil((first + buffer.byteLength) / HUGE_PAGE) * HUGE_PAGE;
      this.advise?.(at, end - at, MADV_HUGEPAGE);
      this.waiting.push({ buffer, at, end });
    }
    return this.waiting.length > 0;
  }
}

/** The memory of every large array that is reachable from the roots. */
function largeBuffers(roots: readonly object[]): Set<ArrayBuffer> {
  const found = new Set<ArrayBuffer>();
  const visited = new Set<unknown>(roots);
  for (const held of visited) {
    if (ArrayBuffer.isView(held)) {
      const { buffer } = held;
      if (buffer instanceof ArrayBuffer && buffer.byteLength >= LARGE_BYTES) found.add(buffer);
      continue;
    }
    for (const each of heldBy(held)) if (typeof each === 'object' && each !== null) visited.add(each);
  }
  return found;
}

function heldBy(held: unknown): Iterable<unknown> {
  if (Array.isArray(held)) return held.length <= ELEMENTS_MAX ? held : [];
  if (held instanceof Map) return held.size <= ELEMENTS_MAX ? held.values() : [];
  return held instanceof Set ? [] : Object.values(held as object);
}

/** `madvise` of the C library. Undefined if unavailable. Errors of the kernel are ignored. */
function kernelAdvice(): Advise | undefined {
  if (isSwitchedOff()) return undefined;
  const library = fromCLibrary({ madvise: { args: ['ptr', 'u64', 'i32'], returns: 'i32' } });
  if (library === undefined) return undefined;
  return (address, bytes, advice) => library.madvise(address as Pointer, bytes, advice);
}

/** Whether huge pages are disabled. `MADV_COLLAPSE` ignores the switch. Kernels without the file have none. */
function isSwitchedOff(): boolean {
  return ['never', undefined].includes(hugePagesSetting());
}

export function hugePagesSetting(): string | undefined {
  try {
    const [, chosen] = /\[(\w+)\]/.exec(readFileSync(SWITCH, 'utf8')) ?? [];
    return chosen;
  } catch {
    return undefined;
  }
}
