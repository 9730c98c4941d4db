/** The entries of one account, the least recently used first. */
interface Group<V> {
  entries: Map<string, V>;
  bytes: number;
}

export interface FairLruOptions<V> {
  count_max: number;
  bytes_max: number;
  sizeOf(value: V): number;
}

/**
 * The latest used values of all accounts, within common limits.
 *
 * When they are exceeded, the account that holds most loses its least recently used values. So no account displaces
 * those of another that holds less. The newest value always stays.
 */
export class FairLru<V> {
  private readonly groups = new Map<string, Group<V>>();
  private count = 0;
  private bytes = 0;

  constructor(private readonly options: FairLruOptions<V>) {}

  get size(): number {
    return this.count;
  }

  get(account: string, key: string): V | undefined {
    const entries = this.groups.get(account)?.entries;
    const value = entries?.get(key);
    if (entries === undefined || value === undefined) return undefined;
    entries.delete(key);
    entries.set(key, value);
    return value;
  }

  /** Adds or replaces a value. Amortised O(accounts). */
  set(account: string, key: string, value: V): void {
    this.delete(account, key);
    const group = this.groups.get(account) ?? { entries: new Map(), bytes: 0 };
    this.groups.set(account, group);
    group.entries.set(key, value);
    this.add(group, 1, this.options.sizeOf(value));
    while (this.shareOf({ count: this.count, bytes: this.bytes }) > 1) {
      const largest = this.largest(group);
      if (largest === undefined) return;
      const [oldest] = largest.group.entries.keys();
      this.delete(largest.account, oldest);
    }
  }

  delete(account: string, key: string): void {
    const group = this.groups.get(account);
    const value = group?.entries.get(key);
    if (group === undefined || value === undefined) return;
    group.entries.delete(key);
    this.add(group, -1, -this.options.sizeOf(value));
    if (group.entries.size === 0) this.groups.delete(account);
  }

  /** Removes the values that do not pass a test. O(all values). */
  retain(keeps: (value: V) => boolean): void {
    for (const [account, { entries }] of this.groups)
      for (const [key, value] of entries) if (!keeps(value)) this.delete(account, key);
  }

  /** The account with the largest share. @param added has the newest value, which stays */
  private largest(added: Group<V>): { account: string; group: Group<V> } | undefined {
    let largest: { account: string; group: Group<V> } | undefined;
    let share = 0;
    for (const [account, group] of this.groups) {
      const own_share = this.shareOf({ count: group.entries.size, bytes: group.bytes });
      if (own_share <= share || (group === added && group.entries.size === 1)) continue;
      largest = { account, group };
      share = own_share;
    }
    return largest;
  }

  private shareOf({ count, bytes }: { count: number; bytes: number }): number {
    return Math.max(count / this.options.count_max, bytes / this.options.bytes_max);
  }

  private add(group: Group<V>, count: number, bytes: number): void {
    group.bytes += bytes;
    this.count += count;
    this.bytes += bytes;
  }
}
