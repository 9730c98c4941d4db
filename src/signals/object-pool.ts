/**
 * Lends things to a request and takes them all back at its end: made anew for each, they were a good part of what a
 * request leaves to be collected.
 */
export class ObjectPool<T extends { clear(): void }> {
  private readonly idle: T[] = [];
  private readonly lent: T[] = [];

  constructor(private readonly make: () => T) {}

  /** An empty one, until `takeBack`. */
  take(): T {
    const one = this.idle.pop() ?? this.make();
    this.lent.push(one);
    return one;
  }

  /** Ends a request: what it was lent is cleared and may be lent again. */
  takeBack(): void {
    for (let one = this.lent.pop(); one !== undefined; one = this.lent.pop()) {
      one.clear();
      this.idle.push(one);
    }
  }
}
