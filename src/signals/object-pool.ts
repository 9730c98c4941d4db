/**
 * Lends objects to a request and takes them back at its end.
 *
 * New objects per request were a large part of the garbage.
 */
export class ObjectPool<T extends { clear(): void }> {
  private readonly idle: T[] = [];
  private readonly lent: T[] = [];

  constructor(private readonly make: () => T) {}

  /** An empty object, valid until `takeBack`. */
  take(): T {
    const one = this.idle.pop() ?? this.make();
    this.lent.push(one);
    return one;
  }

  takeBack(): void {
    for (let one = this.lent.pop(); one !== undefined; one = this.lent.pop()) {
      one.clear();
      this.idle.push(one);
    }
  }
}
