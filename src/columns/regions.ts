import { BUFFER_BYTES_MAX, grown } from './growable.ts';
import { Runs } from './runs.ts';

/** Runs of the arena are allocated in units of this many elements. */
const UNIT = 64;
/** The length of a chunk in elements. A chunk contains regions of one size, as many as fit. */
const CHUNK = 1024;
/** Larger regions get runs of their own. */
const PACKED_MAX = 256;
/** At most one in this many regions of a class may be a hole, which means returned and not refilled. */
const HOLES_SHARE = 32;
/** The owner of a hole. */
const NO_OWNER = 0xffffffff;

/** Size steps per doubling. Lists move at each step, so the many short lists have few. */
const STEPS = 2;
/** Above this size there are twice as many steps per doubling, and above twice this size four times as many. */
const FINER_FROM = 32;

/** 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48, 56, 64, 72, 80, … up to the maximum of an array. */
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
 * The region size of a class, for slabs and tables.
 *
 * A growing list wastes at most a third while it is short, later at most a ninth, and a twentieth on average.
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
 * Allocates regions of an arena by size class, and reuses them without fragmentation.
 *
 * When a region is returned, the last region of its class moves into its place, unless it soon gets a new owner. So
 * free memory is always whole chunks, which fit any class. Otherwise lists that grow together would leave a third of
 * the arena behind in unused sizes. Each step costs at most the affected regions. Deterministic: the same calls give
 * the same regions. The caller owns the arena and grows it to `top`.
 */
export class RegionAllocator {
  static readonly transient = ['moved', 'top_max'];
  /** The owner of the region that was moved last. */
  moved = NO_OWNER;
  private readonly runs = new Runs();
  /** For each packed class: its chunks. */
  private readonly chunks: number[][] = [];
  /** For each packed class: the number of its regions, which fill all chunks but the last. */
  private readonly counts: number[] = [];
  /** For each packed class: the owner of each region. */
  private readonly owners: Uint32Array[] = [];
  /** For each packed class: its current holes, and some refilled ones. */
  private readonly holes: number[][] = [];
  /** For each unit of a chunk: the index of that chunk in its class. */
  private chunk_of = new Uint32Array(64);

  /** @param top_max the maximum number of elements of the arena */
  constructor(readonly top_max = BUFFER_BYTES_MAX) {}

  /** Used and free elements are below this. The arena must be at least this long. */
  get top(): number {
    return this.runs.top * UNIT;
  }

  /** Whether `take` can find a region. O(1), or O(free runs) when the arena is nearly full. */
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
   * Returns a region.
   *
   * The caller must copy the region at the returned position to `start`, where it then belongs to the subject `moved`.
   * If the returned position is `start`, there is nothing to do.
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
      owners[index] = NO_OWNER;
      this.holes[size_class].push(index);
      return start;
    }
    while (owners[this.counts[size_class] - 1] === NO_OWNER) this.dropLast(size_class);
    const last = this.counts[size_class] - 1;
    const from = this.position(size_class, last);
    this.moved = owners[last];
    owners[index] = this.moved;
    this.dropLast(size_class);
    return from;
  }

  /** Extends a region to a larger class without moving it, if the space after it is free. */
  extend(start: number, size_class: number, larger_class: number): boolean {
    const capacity = classCapacity(size_class);
    if (capacity <= PACKED_MAX) return false;
    const units = unitsOf(capacity);
    const more = unitsOf(classCapacity(larger_class)) - units;
    return more === 0 || this.runs.extend(start / UNIT + units, more, Math.floor(this.top_max / UNIT));
  }

  /** The index of an unused region: a hole, or else a new one. */
  private vacant(size_class: number): number {
    const holes = this.holes[size_class];
    for (let hole = holes.pop(); hole !== undefined; hole = holes.pop()) {
      if (hole < this.counts[size_class] && this.owners[size_class][hole] === NO_OWNER) return hole;
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

/** For regions that are runs of their own. */
function unitsOf(capacity: number): number {
  return Math.ceil(capacity / UNIT);
}

function regionsOf(capacity: number): number {
  return Math.floor(CHUNK / capacity);
}
