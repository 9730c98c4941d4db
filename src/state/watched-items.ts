/** Notifies caches of items for which they must drop data, immediately and one by one. */
export class WatchedItems {
  static readonly transient = ['watchers'];
  private readonly watchers: ((item: number) => void)[] = [];

  /**
   * @param onItem must be cheap, since one change may affect many items
   * @returns a function that ends the calls
   */
  watch(onItem: (item: number) => void): () => void {
    this.watchers.push(onItem);
    return () => {
      this.watchers.splice(this.watchers.indexOf(onItem), 1);
    };
  }

  note(item: number): void {
    for (const onItem of this.watchers) onItem(item);
  }
}
