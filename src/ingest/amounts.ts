import { textBytes } from '../columns/text-arena.ts';
import { COUNTERS } from '../model/acts.ts';
import type { Change } from '../model/change.ts';
import { BLOCK } from '../model/changes/block.ts';
import { ENGAGEMENT } from '../model/changes/engagement.ts';
import { FOLLOW } from '../model/changes/follow.ts';
import { FOLLOW_LIST } from '../model/changes/follow-list.ts';
import { INTERACTION } from '../model/changes/interaction.ts';
import { ITEM } from '../model/changes/item.ts';
import { NAME } from '../model/changes/name.ts';
import { PREFERENCES } from '../model/changes/preferences.ts';
import { USER } from '../model/changes/user.ts';
import { USER_LIST } from '../model/changes/user-list.ts';
import { type Key, NONE } from '../model/key.ts';
import type { ItemContent } from '../model/records/item.ts';
import { NO_PREFERENCES, type Preferences, preferencesBytes } from '../model/records/preferences.ts';
import type { UserContent } from '../model/records/user.ts';
import { embeddingLength } from '../model/values/embedding.ts';
import type { Amounts, StateLimit } from '../state/limits.ts';
import { groupedValues } from '../state/listed.ts';

const NOTHING: Amounts = {};
const ONE_FOLLOW: Amounts = { follows: 1 };
const ONE_BLOCK: Amounts = { blocks: 1 };
const ACT: Amounts = { interactions: 1, item_interactions: 1, acted_items: 1 };
const NAMED_ACT: Amounts = { ...ACT, event_ids: 1 };

/** The most that a change can add to the state, whatever the state contains. */
export function amountsOf(change: Change): Amounts {
  switch (change.kind) {
    case NAME.kind:
      return change.space === 'user' ? userNamed(change.id) : itemNamed(change.id);
    case ITEM.kind:
      return valuesOf(change.content);
    case USER.kind:
      return walletsOf(change.content);
    case ENGAGEMENT.kind:
      return { former_counts: COUNTERS.filter((counter) => change[counter] !== NONE).length };
    case INTERACTION.kind:
      return change.event_id === '' ? ACT : NAMED_ACT;
    case FOLLOW.kind:
      return ONE_FOLLOW;
    case FOLLOW_LIST.kind:
      return { follows: change.followed.length };
    case BLOCK.kind:
      return ONE_BLOCK;
    case USER_LIST.kind:
      return { lists: change.action, list_entries: change.added.length };
    case PREFERENCES.kind:
      return preferencesSet(change.content);
    default:
      return NOTHING;
  }
}

export function userNamed(id: string): Amounts {
  return { users: 1, user_keys: 1, user_id_bytes: bytesOf(id) };
}

/** Of users who had none. */
export function preferencesSet<A extends string | Key>(preferences: Preferences<A>): Amounts {
  if (Bun.deepEquals(preferences, NO_PREFERENCES)) return NOTHING;
  return { users_with_preferences: 1, preferences_bytes: preferencesBytes(preferences) };
}

export function itemNamed(id: string): Amounts {
  return { items: 1, item_keys: 1, item_id_bytes: bytesOf(id) };
}

export function valuesOf(content: ItemContent): Amounts {
  const { one, many } = groupedValues(content);
  const texts = [...Object.values(one), ...Object.values(many).flat()].filter((text) => text !== undefined);
  return {
    values: texts.length,
    value_bytes: texts.reduce((sum, text) => sum + bytesOf(text), 0),
    item_values: Math.max(...Object.values(many).map(({ length }) => length)),
    embedding_bytes: content.embedding === undefined ? 0 : embeddingLength(content.embedding),
  };
}

export function walletsOf({ wallet_addresses = [] }: UserContent): Amounts {
  const wallets = [...new Set(wallet_addresses)];
  return { wallets: wallets.length, wallet_bytes: wallets.reduce((sum, text) => sum + bytesOf(text), 0) };
}

export function bytesOf(text: string): number {
  return textBytes(Buffer.byteLength(text));
}

export function addTo(sum: Amounts, amounts: Amounts, times = 1): void {
  for (const limit in amounts) {
    const name = limit as StateLimit;
    sum[name] = (sum[name] ?? 0) + times * (amounts[name] ?? 0);
  }
}
