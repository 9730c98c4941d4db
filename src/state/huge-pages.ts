import { type Pointer, ptr } from 'bun:ffi';
import { readFileSync } from 'node:fs';
import { fromCLibrary } from '../c-library.ts';

/** Where an operator says which memory may have huge pages: `always`, `madvise` (what asks for them) or `never`. */
const SWITCH = '/sys/kernel/mm/transparent_hugepage/enabled';
/** Bytes of a huge page on x86-64 and on ARM with pages of 4 kB. */
const HUGE_PAGE = 2 * 1024 * 1024;
/** Smaller arrays are left as they are. */
const LARGE_BYTES = 512 * 1024;
/** After it found nothing to do it looks again when so much time has passed: arrays grow. */
const LOOK_AGAIN_MS = 10_000;
/** Lists and maps of more than so many elements hold no columns. */
const ELEMENTS_MAX = 4_096;

/** What the kernel is told of memory (`madvise`, Linux): huge pages are welcome, … */
const MADV_HUGEPAGE = 14;
/** … and are wanted now (since Linux 6.1; before, the kernel's own thread sees to it in time). */
const MADV_COLLAPSE = 25;

/** Tells the kernel something of so many bytes of memory. */
export type Advise = (address: number, bytes: number, advice: number) => void;

/**
 * Moves large arrays into huge pages, 2 MB at a time. A request reads a thousand places all over hundreds
 * of megabytes; in pages of 4 kB nearly each is missing from the processor's table of pages, which costs a tenth of
 * its time. The engine asks for small pages, so this asks again. Elsewhere than on Linux, and where the operator
 * switched huge pages off (`/sys/kernel/mm/transparent_hugepage/enabled` is `never`), nothing happens.
 */
export class HugePages {
  /** Arrays that have been seen to. */
  private readonly done = new WeakSet<ArrayBufferLike>();
  /** Ranges of memory that wait, from the first byte to after the last. */
  private waiting: { buffer: ArrayBufferLike; at: number; end: number }[] = [];
  private looked_ms = Number.NEGATIVE_INFINITY;

  /** @param roots objects whose arrays, and those of all that they hold, are meant */
  constructor(
    private readonly roots: readonly object[],
    private readonly monotonicMs: () => number,
    private readonly advise: Advise | undefined = kernelAdvice(),
  ) {}

  /** Moves the next 2 MB; false when there is nothing to do for now. 1 to 12 ms. */
  step(): boolean {
    if (this.advise === undefined) return false;
    if (this.waiting.length === 0 && !this.look()) return false;
    const range = this.waiting[this.waiting.length - 1];
    // It may have grown since, which is to have moved; then it is met again.
    if (range.buffer.byteLength > 0) this.advise(range.at, HUGE_PAGE, MADV_COLLAPSE);
    range.at += HUGE_PAGE;
    if (range.at >= range.end || range.buffer.byteLength === 0) this.waiting.pop();
    return true;
  }

  /** Finds arrays that are new or have moved; false when there are none. */
  private look(): boolean {
    const now_ms = this.monotonicMs();
    if (now_ms - this.looked_ms < LOOK_AGAIN_MS) return false;
    this.looked_ms = now_ms;
    for (const buffer of largeBuffers(this.roots)) {
      if (this.done.has(buffer)) continue;
      this.done.add(buffer);
      const first = ptr(buffer);
      // Outwards: neighbours lie close, and the pages at both ends are the array's, too.
      const at = Math.floor(first / HUGE_PAGE) * HUGE_PAGE;
      const end = Math.ceil((first + buffer.byteLength) / HUGE_PAGE) * HUGE_PAGE;
      this.advise?.(at, end - at, MADV_HUGEPAGE);
      this.waiting.push({ buffer, at, end });
    }
    return this.waiting.length > 0;
  }
}

/** The memory of every large array that is held, however indirectly. */
function largeBuffers(roots: readonly object[]): Set<ArrayBuffer> {
  const found = new Set<ArrayBuffer>();
  const met = new Set<unknown>(roots);
  for (const held of met) {
    if (ArrayBuffer.isView(held)) {
      const { buffer } = held;
      if (buffer instanceof ArrayBuffer && buffer.byteLength >= LARGE_BYTES) found.add(buffer);
      continue;
    }
    for (const each of heldBy(held)) if (typeof each === 'object' && each !== null) met.add(each);
  }
  return found;
}

function heldBy(held: unknown): Iterable<unknown> {
  if (Array.isArray(held)) return held.length <= ELEMENTS_MAX ? held : [];
  if (held instanceof Map) return held.size <= ELEMENTS_MAX ? held.values() : [];
  return held instanceof Set ? [] : Object.values(held as object);
}

/** `madvise` of the C library; `undefined` where there is none. What the kernel refuses is left as it is. */
function kernelAdvice(): Advise | undefined {
  if (isSwitchedOff()) return undefined;
  const library = fromCLibrary({ madvise: { args: ['ptr', 'u64', 'i32'], returns: 'i32' } });
  if (library === undefined) return undefined;
  return (address, bytes, advice) => library.madvise(address as Pointer, bytes, advice);
}

/** Whether the operator wants none. `MADV_COLLAPSE` does not ask; without the file, the kernel has none. */
function isSwitchedOff(): boolean {
  try {
    return readFileSync(SWITCH, 'utf8').includes('[never]');
  } catch {
    return true;
  }
}
