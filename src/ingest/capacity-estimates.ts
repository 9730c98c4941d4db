import { COUNTERS } from '../model/acts.ts';
import { FOLLOW } from '../model/changes/follow.ts';
import { NONE } from '../model/key.ts';
import type { ItemCounters } from '../model/records/index.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { Preferences } from '../model/records/preferences.ts';
import type { UserContent } from '../model/records/user.ts';
import { embeddingLength } from '../model/values/embedding.ts';
import type { Act } from '../state/interactions.ts';
import type { Amounts } from '../state/limits.ts';
import { groupedValues } from '../state/listed.ts';
import type { State } from '../state/state.ts';
import { type ParsedAct, pairOfAct } from './acts.ts';
import { addTo, bytesOf, itemNamed, preferencesSet, userNamed, valuesOf, walletsOf } from './amounts.ts';
import type { KeyAllocator } from './key-allocator.ts';
import type { QueuedChanges } from './queued-changes.ts';
import { type Relation, relationsIn } from './relations.ts';
import type { CapacityEstimate } from './state-capacity.ts';

/** The most that an act, a follow or a block takes. An identifier has at most 256 characters of 4 bytes. */
const ACT_AT_MOST: Amounts = {
  ...{ users: 2, user_keys: 2, user_id_bytes: 2 * 1024, items: 1, item_keys: 1, item_id_bytes: 1024 },
  ...{ interactions: 1, item_interactions: 1, acted_items: 1, event_ids: 1, follows: 1, blocks: 1 },
};

/** Computes how much of the state's capacity records take, given the current and the queued state. */
export class CapacityEstimates {
  constructor(
    private readonly state: State,
    private readonly user_keys: KeyAllocator,
    private readonly item_keys: KeyAllocator,
    private readonly queued_changes: QueuedChanges,
  ) {}

  /** The capacity for a follow, a block, or the end of one. */
  relation(kind: Relation, user_id: string, target_id: string): CapacityEstimate {
    const exactly = (): Amounts => {
      const needed = this.named([user_id, target_id], []);
      const { users, follows, blocks } = this.state;
      const [user, target] = [this.user_keys.find(user_id), this.user_keys.find(target_id)];
      const [one, other] = [users.names.ordinal(user), users.names.ordinal(target)];
      if (this.queued_changes.relation(kind, user, target) !== undefined) return needed;
      const known =
        one === NONE || other === NONE ? undefined : relationsIn(this.state, kind).known(one, other);
      if (known !== undefined) return needed;
      if (kind === FOLLOW.kind) return { ...needed, follows: 1, per_subject: follows.pairsOf(one) + 1 };
      return { ...needed, blocks: 1, per_subject: Math.max(blocks.pairsOf(one), blocks.pairsOf(other)) + 1 };
    };
    return { at_most: ACT_AT_MOST, exactly };
  }

  /**
   * The capacity for a whole list of follows.
   * @param named of new users, of whom the list may have many
   * @param unknown_count number of pairs without an entry in the state
   */
  followList(user_id: string, named: Amounts, unknown_count: number): CapacityEstimate {
    const at_most = { ...named, follows: unknown_count };
    const exactly = (): Amounts => {
      const user = this.state.users.names.ordinal(this.user_keys.find(user_id));
      return { ...at_most, per_subject: this.state.follows.pairsOf(user) + unknown_count };
    };
    return { at_most, exactly };
  }

  /**
   * The capacity for an interaction.
   * @param is_undated whether it gets the time of writing
   * @param content of the item's version that is stored with it
   */
  act(
    user_id: string,
    item_id: string,
    parsed: ParsedAct,
    is_undated: boolean,
    content?: ItemContent,
  ): CapacityEstimate {
    const exactly = (): Amounts => {
      const needed = this.named([user_id], [item_id]);
      const [user, item] = [this.user_keys.find(user_id), this.item_keys.find(item_id)];
      if (content !== undefined) addTo(needed, this.newValues(item_id, content));
      const ordinal = this.queued_changes.deletes(item) ? NONE : this.state.items.names.ordinal(item);
      const act = { ...parsed.act, user: this.state.users.names.ordinal(user), item: ordinal };
      // An act that only its time distinguishes gets a time of its own.
      const is_new = parsed.is_identified_by_time && is_undated;
      const queued = is_new ? undefined : this.queued_changes.fact(pairOfAct(user, item, parsed));
      if (queued === undefined) addTo(needed, this.ofAct(act, is_new));
      else if (!queued.stands && this.returnsToItem(act)) addTo(needed, { item_interactions: 1 });
      return needed;
    };
    return {
      at_most: content === undefined ? ACT_AT_MOST : { ...ACT_AT_MOST, ...valuesOf(content) },
      exactly,
    };
  }

  /** The capacity for a new version of an item and its counters. @param author undefined if unknown */
  item(
    item_id: string,
    author: string | undefined,
    content: ItemContent | undefined,
    counters: ItemCounters | undefined,
  ): CapacityEstimate {
    const authors = author === undefined ? [] : [author];
    const at_most: Amounts = content === undefined ? {} : valuesOf(content);
    for (const named of [itemNamed(item_id), ...authors.map(userNamed)]) addTo(at_most, named);
    if (counters !== undefined) addTo(at_most, { former_counts: COUNTERS.length });
    const exactly = (): Amounts => {
      const needed = this.named(authors, [item_id]);
      if (content !== undefined) addTo(needed, this.newValues(item_id, content));
      if (counters !== undefined) addTo(needed, this.newCounts(item_id, counters));
      return needed;
    };
    return { at_most, exactly };
  }

  user(user_id: string, content: UserContent | undefined): CapacityEstimate {
    const at_most: Amounts = content === undefined ? {} : walletsOf(content);
    addTo(at_most, userNamed(user_id));
    const exactly = (): Amounts => {
      const needed = this.named([user_id], []);
      const { names, wallets } = this.state.users;
      const user = names.find(user_id);
      const listed = content?.wallet_addresses ?? [];
      const known = user === NONE ? 0 : wallets.count(user);
      const unknown = [...new Set(listed)].filter((address) => wallets.user(address) === undefined);
      const wallet_bytes = unknown.reduce((sum, address) => sum + bytesOf(address), 0);
      addTo(needed, { wallets: Math.max(0, new Set(listed).size - known), wallet_bytes });
      return needed;
    };
    return { at_most, exactly };
  }

  /**
   * The capacity for preferences of a user that differ from the current ones.
   * @param named identifiers of the users whom they name
   */
  preferences(user_id: string, preferences: Preferences, named: Iterable<string>): CapacityEstimate {
    const user_ids = [user_id, ...named];
    const { at_most } = this.users(user_ids);
    addTo(at_most, preferencesSet(preferences));
    const exactly = (): Amounts => {
      const former = this.state.preferences.bytesOf(this.state.users.names.find(user_id));
      const { users_with_preferences = 0, preferences_bytes = 0 } = preferencesSet(preferences);
      return {
        ...this.named(user_ids, []),
        users_with_preferences: former > 0 ? 0 : users_with_preferences,
        preferences_bytes: preferences_bytes - former,
      };
    };
    return { at_most, exactly };
  }

  users(user_ids: readonly string[]): CapacityEstimate {
    return this.names(user_ids, []);
  }

  /** The capacity for the names of users and items. */
  names(user_ids: readonly string[], item_ids: readonly string[]): CapacityEstimate {
    const at_most: Amounts = {};
    for (const named of [...user_ids.map(userNamed), ...item_ids.map(itemNamed)]) addTo(at_most, named);
    return { at_most, exactly: () => this.named(user_ids, item_ids) };
  }

  private named(user_ids: readonly string[], item_ids: readonly string[]): Amounts {
    const needed: Amounts = {};
    for (const id of new Set(user_ids)) if (this.user_keys.find(id) === NONE) addTo(needed, userNamed(id));
    for (const id of new Set(item_ids)) if (this.item_keys.find(id) === NONE) addTo(needed, itemNamed(id));
    return needed;
  }

  private ofAct(act: Act, is_new: boolean): Amounts {
    const { interactions } = this.state;
    const { user, item, event_id } = act;
    const unknown = is_new || user === NONE || item === NONE || !interactions.isKnown(act);
    const needed: Amounts = {};
    if (unknown) addTo(needed, { interactions: 1, event_ids: event_id === '' ? 0 : 1 });
    if (!interactions.touched.has(user, item)) {
      addTo(needed, { acted_items: 1, per_subject: interactions.touched.count(user) + 1 });
    }
    const returns = !unknown && this.returnsToItem(act) && !interactions.stands(act);
    if (!unknown && !returns) return needed;
    const beyond = interactions.usersBeyondLog(item) + 1;
    needed.per_subject = Math.max(needed.per_subject ?? 0, beyond);
    return { ...needed, item_interactions: 1 };
  }

  /** Whether the item's log gets an entry again. It has none for a removed act, which is recorded elsewhere. */
  private returnsToItem({ add, event_type }: Act): boolean {
    return add && this.state.vocabulary.isOfItem(event_type);
  }

  private newValues(item_id: string, content: ItemContent): Amounts {
    const { groups, items, embeddings } = this.state;
    const item = items.names.find(item_id);
    const { one, many } = groupedValues(content);
    const needed: Amounts = { item_values: 0 };
    const count = (group: { code(value: string): number }, value: string | undefined): void => {
      if (value === undefined || group.code(value) !== NONE) return;
      addTo(needed, { values: 1, value_bytes: bytesOf(value) });
    };
    for (const column of ['channel', 'app', 'language'] as const) count(groups[column], one[column]);
    for (const column of ['publication_type', 'domain', 'label'] as const) {
      const group = groups[column];
      for (const value of many[column]) count(group, value);
      const more = many[column].length - (item === NONE ? 0 : group.count(item));
      needed.item_values = Math.max(needed.item_values ?? 0, more);
    }
    if (content.embedding !== undefined && embeddings.slotOf(item) === NONE)
      needed.embedding_bytes = embeddingLength(content.embedding);
    return needed;
  }

  /** Former counts are kept for items that have some already. */
  private newCounts(item_id: string, counters: ItemCounters): Amounts {
    const key = this.item_keys.find(item_id);
    const item = this.state.items.names.ordinal(key);
    const counted = COUNTERS.filter((counter) => {
      if (counters[counter] === undefined) return false;
      if (this.queued_changes.count(key, counter) !== undefined) return true;
      return item !== NONE && this.state.items.counted_at(item, counter) > 0;
    });
    return { former_counts: counted.length };
  }
}
