/**
 * The vocabulary of writes. State is a fold over stored changes (state-1).
 *
 * The store writes changes, and `applyChange` is the only code that reads them into the state. This room is all that the
 * two know of each other.
 *
 * A *key* is the integer by which the store knows a user or item. It is never reused. An *ordinal* is the dense index
 * of a user or item in memory. Changes contain keys, memory contains ordinals.
 */

import { ACT_DELETION } from './changes/act-deletion.ts';
import { BLOCK } from './changes/block.ts';
import { DELETION } from './changes/deletion.ts';
import { ENGAGEMENT } from './changes/engagement.ts';
import { ERASURE } from './changes/erasure.ts';
import { EVENT } from './changes/event.ts';
import { EXPERIMENT } from './changes/experiment.ts';
import { FOLLOW } from './changes/follow.ts';
import { FOLLOW_LIST } from './changes/follow-list.ts';
import { INTERACTION } from './changes/interaction.ts';
import { ITEM } from './changes/item.ts';
import { LABEL } from './changes/label.ts';
import { LEARNING } from './changes/learning.ts';
import { MODEL } from './changes/model.ts';
import { NAME } from './changes/name.ts';
import { OUTCOME } from './changes/outcome.ts';
import { PREFERENCES } from './changes/preferences.ts';
import { RELEASE } from './changes/release.ts';
import { RETIREMENT } from './changes/retirement.ts';
import { SHOWN } from './changes/shown.ts';
import { SHOWN_COUNTS } from './changes/shown-counts.ts';
import { TOMBSTONE } from './changes/tombstone.ts';
import { TREND } from './changes/trend.ts';
import { USER } from './changes/user.ts';
import { USER_LIST } from './changes/user-list.ts';
import type { ChangeDefinition, ChangeOf } from './define-change.ts';

/** All kinds of change. Tables are created, and read at a start, in this order. */
export const CHANGES = [
  ...[NAME, ITEM, USER, ENGAGEMENT, INTERACTION, FOLLOW, FOLLOW_LIST, BLOCK, DELETION, ERASURE, TREND],
  ...[RETIREMENT, TOMBSTONE, RELEASE, EXPERIMENT, PREFERENCES, LABEL, ACT_DELETION, USER_LIST],
  ...[SHOWN, SHOWN_COUNTS, MODEL, LEARNING, OUTCOME, EVENT],
] as const satisfies readonly ChangeDefinition[];

type AnyDefinition = (typeof CHANGES)[number];

export type Change = {
  [K in AnyDefinition['kind']]: ChangeOf<Extract<AnyDefinition, { kind: K }>>;
}[AnyDefinition['kind']];
export type Kind = Change['kind'];
