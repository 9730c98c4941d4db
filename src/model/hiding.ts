/** Who took an item, or all items and acts of a user, out of the feeds. Either is enough (`isHidden`). */
export interface Hiding {
  hidden?: boolean;
  /** What the source says, such as a network that suspended the account. */
  hidden_by_network?: boolean;
  /** The time of that, in seconds. Older messages of the source do not change it. */
  hidden_by_network_at?: number;
}

export function isHidden({ hidden, hidden_by_network }: Hiding): boolean {
  return hidden === true || hidden_by_network === true;
}
