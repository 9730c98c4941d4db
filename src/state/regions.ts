import { BUFFER_BYTES_MAX, grown } from './growable.ts';
import { Runs } from './runs.ts';

/** Runs of the arena are handed out in units of so many elements. */
const UNIT = 64;
/** Chunks are so long: regions of one size lie in each, as many as it has room for. */
const CHUNK = 1024;
/** Larger regions are runs of their own. */
const PACKED_MAX = 256;
/** Regions that came back and have not been filled yet: at most one in so many of their class. */
const HOLES_SHARE = 32;
/** Whose region a hole is. */
const NOBODY = 0xffffffff;

/** Steps to each doubling: lists move at each, so short ones, which are most, take two … */
const STEPS = 2;
/** … and those of so many elements 4, of twice as many 8. */
const FINER_FROM = 32;

/** 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48, 56, 64, 72, 80, … up to what an array can hold. */
const CAPACITIES = Uint32Array.from(capacities());

function* capacities(): Generator<number> {
  yield 1;
  for (let doubled = 1; doubled < 2 ** 30; doubled *= 2) {
    const finer = doubled < FINER_FROM ? 1 : doubled < 2 * FINER_FROM ? 2 : 4;
    const steps = Math.min(doubled, STEPS * finer);
    for (let step = 1; step <= steps; step++) yield doubled + (doubled / steps) * step;
  }
}

/**
 * Sizes of the regions that slabs and tables hand out. A growing list wastes a third at most while it is
 * short, then a ninth at most, and a twentieth on average.
 */
export function classCapacity(size_class: number): number {
  return CAPACITIES[size_class];
}

/** The smallest class whose capacity is at least `length`. */
export function classFor(length: number): number {
  let size_class = 0;
  while (CAPACITIES[size_class] < length) size_class++;
  return size_class;
}

/**
 * Hands out regions of an arena by size class and takes them back without leaving holes: into the place of one
 * that comes back moves the last of its class, unless another is soon taken, so that what is free is whole
 * chunks, which fit any class. Lists that grow all together would else leave a third of the arena behind in
 * sizes that nobody needs any more. No step costs more than the regions it is about. Deterministic: the same
 * calls give the same regions. The arena itself belongs to the caller, who grows it to `top`.
 */
export class RegionAllocator {
  static readonly transient = ['moved', 'top_max'];
  /** Whose region it was that had to be moved last. */
  moved = NOBODY;
  /** In units. */
  private readonly runs = new Runs();
  /** Of each packed class: its chunks, … */
  private readonly chunks: number[][] = [];
  /** … its regions, which fill all chunks but the last, … */
  private readonly counts: number[] = [];
  /** … whose each of them is, … */
  private readonly owners: Uint32Array[] = [];
  /** … and which of them are holes, and some that were. */
  private readonly holes: number[][] = [];
  /** Of each unit within a chunk: the chunk's index among those of its class. */
  private chunk_of = new Uint32Array(64);

  /** @param top_max elements that the arena can have */
  constructor(readonly top_max = BUFFER_BYTES_MAX) {}

  /** Elements in use or free lie below this: the arena must be at least this long. */
  get top(): number {
    return this.runs.top * UNIT;
  }

  /** Whether `take` would find a region within the arena. O(free runs) when it is nearly full, else O(1). */
  fits(size_class: number): boolean {
    const capacity = classCapacity(size_class);
    const units_max = Math.floor(this.top_max / UNIT);
    if (capacity > PACKED_MAX) return this.runs.fits(unitsOf(capacity), units_max);
    const known = size_class < this.counts.length ? this.counts[size_class] : 0;
    // The last chunk of the class has room, unless it is full.
    return known % regionsOf(capacity) > 0 || this.runs.fits(CHUNK / UNIT, units_max);
  }

  take(size_class: number, subject: number): number {
    const capacity = classCapacity(size_class);
    if (capacity > PACKED_MAX) return this.runs.take(unitsOf(capacity)) * UNIT;
    while (this.counts.length <= size_class) {
      this.counts.push(0);
      this.chunks.push([]);
      this.owners.push(new Uint32Array(0));
      this.holes.push([]);
    }
    const index = this.vacant(size_class);
    this.owners[size_class][index] = subject;
    return this.position(size_class, index);
  }

  /**
   * Takes a region back. The caller copies what is at the position returned to `start`, which from then on
   * is the region of the subject `moved`; there is nothing to do when `start` itself is returned.
   */
  give(start: number, size_class: number): number {
    const capacity = classCapacity(size_class);
    if (capacity > PACKED_MAX) {
      this.runs.give(start / UNIT, unitsOf(capacity));
      return start;
    }
    const owners = this.owners[size_class];
    const chunk = this.chunk_of[Math.floor(start / UNIT)];
    const index = chunk * regionsOf(capacity) + (start - this.chunks[size_class][chunk]) / capacity;
    if ((this.holes[size_class].length + 1) * HOLES_SHARE <= this.counts[size_class]) {
      owners[index] = NOBODY;
      this.holes[size_class].push(index);
      return start;
    }
    while (owners[this.counts[size_class] - 1] === NOBODY) this.dropLast(size_class);
    const last = this.counts[size_class] - 1;
    const from = this.position(size_class, last);
    this.moved = owners[last];
    owners[index] = this.moved;
    this.dropLast(size_class);
    return from;
  }

  /** Makes a region as large as another class without moving it, if there is room behind it. */
  extend(start: number, size_class: number, larger_class: number): boolean {
    const capacity = classCapacity(size_class);
    if (capacity <= PACKED_MAX) return false;
    const units = unitsOf(capacity);
    const more = unitsOf(classCapacity(larger_class)) - units;
    return more === 0 || this.runs.extend(start / UNIT + units, more, Math.floor(this.top_max / UNIT));
  }

  /** Index of a region that is nobody's: a hole, else a new one. */
  private vacant(size_class: number): number {
    const holes = this.holes[size_class];
    for (let hole = holes.pop(); hole !== undefined; hole = holes.pop()) {
      if (hole < this.counts[size_class] && this.owners[size_class][hole] === NOBODY) return hole;
    }
    const index = this.counts[size_class]++;
    const chunks = this.chunks[size_class];
    const capacity = classCapacity(size_class);
    if (index === chunks.length * regionsOf(capacity)) chunks.push(this.newChunk(chunks.length));
    this.owners[size_class] = grown(this.owners[size_class], index + 1);
    return index;
  }

  private dropLast(size_class: number): void {
    const last = --this.counts[size_class];
    if (last % regionsOf(classCapacity(size_class)) !== 0) return;
    this.runs.give(this.chunks[size_class].pop()! / UNIT, CHUNK / UNIT);
  }

  private position(size_class: number, index: number): number {
    const capacity = classCapacity(size_class);
    const regions = regionsOf(capacity);
    const chunk = Math.trunc(index / regions);
    return this.chunks[size_class][chunk] + (index - chunk * regions) * capacity;
  }

  private newChunk(index: number): number {
    const unit = this.runs.take(CHUNK / UNIT);
    this.chunk_of = grown(this.chunk_of, this.runs.top);
    this.chunk_of.fill(index, unit, unit + CHUNK / UNIT);
    return unit * UNIT;
  }
}

/** Of a region that is a run of its own. */
function unitsOf(capacity: number): number {
  return Math.ceil(capacity / UNIT);
}

/** Regions of a chunk. */
function regionsOf(capacity: number): number {
  return Math.floor(CHUNK / capacity);
}
