/**
 * The records: untrusted JSON becomes a normalised record or a list of faults.
 *
 * The parsers are pure. The caller handles everything that needs the clock, the store or the state, such as default
 * times and the existence of items.
 */

export {
  type ItemDeletionRecord,
  parseItemDeletion,
  parseUserDeletion,
  type UserDeletionRecord,
} from './deletion.ts';
export type { EventRemoval } from './event-removal.ts';
export { type FollowListRecord, followListOf, parseFollowListRecord } from './follow-list.ts';
export { EVENT_KINDS, type InteractionRecord, parseAct, parseInteraction } from './interaction.ts';
export {
  type EngagementRecord,
  type ImpressionRecord,
  parseEngagement,
  parseImpression,
} from './interchange.ts';
export { type ItemCounters, type ItemRecord, parseItem } from './item.ts';
export { type LabelRecord, parseLabel } from './label.ts';
export { type BlockRecord, type FollowRecord, parseBlock, parseFollow } from './relation.ts';
export { parseUser, type UserRecord } from './user.ts';
