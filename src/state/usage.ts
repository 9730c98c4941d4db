import type { StateLimit } from './limits.ts';
import type { State } from './state.ts';

/** How much of each limit a state uses. 0 for limits per subject. O(1). */
export function usageOf(state: State): Record<StateLimit, number> {
  const { users, items, interactions, follows, blocks, user_lists, preferences, groups } = state;
  const columns = [groups.channel, groups.app, groups.language];
  const many = [groups.publication_type, groups.domain, groups.label];
  let values = 0;
  let value_bytes = 0;
  let item_values = 0;
  for (const group of [...columns, ...many]) {
    values = Math.max(values, group.values_count);
    value_bytes = Math.max(value_bytes, group.value_bytes);
  }
  for (const group of many) item_values = Math.max(item_values, group.entries_count);
  return {
    users: users.names.in_use,
    user_id_bytes: users.names.id_bytes,
    user_keys: users.names.next_key,
    items: items.names.in_use,
    item_id_bytes: items.names.id_bytes,
    item_keys: items.names.next_key,
    interactions: interactions.by_user.size,
    item_interactions: interactions.item_side_size,
    acted_items: interactions.touched.size,
    event_ids: interactions.event_ids,
    follows: follows.pairs,
    blocks: blocks.size,
    lists: user_lists.count,
    list_entries: user_lists.entries,
    users_with_preferences: preferences.count,
    preferences_bytes: preferences.bytes,
    former_counts: items.former_counts.size,
    values,
    value_bytes,
    item_values,
    embedding_bytes: state.embeddings.count * state.embeddings.length,
    wallets: users.wallets.size,
    wallet_bytes: users.wallets.address_bytes,
    per_subject: 0,
  };
}
