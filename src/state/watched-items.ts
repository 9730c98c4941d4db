/** Tells caches of items about which they must forget what they hold, at once and one by one. */
export class WatchedItems {
  static readonly transient = ['watchers'];
  private readonly watchers: ((item: number) => void)[] = [];

  /** @param onItem must be cheap: a single change may concern many items */
  watch(onItem: (item: number) => void): void {
    this.watchers.push(onItem);
  }

  note(item: number): void {
    for (const onItem of this.watchers) onItem(item);
  }
}
