const PART_MAX = 1_024;

/** Distinct numbers in ascending order, in parts. Adding or removing one moves only the numbers of one part. */
export class SortedNumbers {
  private parts: Float64Array[] = [];
  private readonly lengths: number[] = [];
  size = 0;

  /** @param numbers distinct, in any order; O(n log n) */
  constructor(numbers: Float64Array) {
    const sorted = numbers.slice().sort();
    for (let start = 0; start < sorted.length; start += PART_MAX / 2)
      this.insertPart(this.parts.length, sorted.subarray(start, start + PART_MAX / 2));
    this.size = sorted.length;
  }

  add(number: number): void {
    if (this.parts.length === 0) this.insertPart(0, new Float64Array(0));
    const index = this.partOf(number);
    const part = this.parts[index];
    const length = this.lengths[index];
    if (length === PART_MAX) {
      const half = PART_MAX / 2;
      this.insertPart(index + 1, part.subarray(half));
      this.lengths[index] = half;
      this.add(number);
      return;
    }
    const at = placeIn(part, length, number);
    part.copyWithin(at + 1, at, length);
    part[at] = number;
    this.lengths[index]++;
    this.size++;
  }

  delete(number: number): void {
    const index = this.partOf(number);
    const part = this.parts[index];
    const at = placeIn(part, this.lengths[index], number);
    part.copyWithin(at, at + 1, this.lengths[index]);
    this.size--;
    if (--this.lengths[index] > 0) return;
    this.parts.splice(index, 1);
    this.lengths.splice(index, 1);
  }

  /** Up to `count` numbers from place `start` on. The smallest is at 0. O(parts + count). */
  slice(start: number, count: number): number[] {
    const found: number[] = [];
    let before = 0;
    for (let index = 0; index < this.parts.length && found.length < count; index++) {
      const length = this.lengths[index];
      for (let at = Math.max(0, start - before); at < length && found.length < count; at++)
        found.push(this.parts[index][at]);
      before += length;
    }
    return found;
  }

  private insertPart(index: number, numbers: Float64Array): void {
    const part = new Float64Array(PART_MAX);
    part.set(numbers);
    this.parts.splice(index, 0, part);
    this.lengths.splice(index, 0, numbers.length);
  }

  /** The last part whose first number is not greater, or the first part. */
  private partOf(number: number): number {
    let low = 0;
    let high = this.parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.parts[middle][0] <= number) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The position or insertion point of a number among the first `length` of a part. */
function placeIn(part: Float64Array, length: number, number: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (part[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
