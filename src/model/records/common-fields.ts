/** Fields that several kinds of records have. */

import { optional, required } from '../values/record-type.ts';
import * as type from '../values/values.ts';
import { EXAMPLE_IDS } from './example-ids.ts';

export const CLEARS = 'An empty string removes a stored value.';

export const revive = optional(
  type.Flag,
  'true: the version counts even if it is older than a deletion. It is not stored.',
  false,
);

/** `hidden` in records of connectors and webhooks becomes these. */
export const HIDDEN_BY_NETWORK = {
  hidden_by_network: optional(
    type.Flag,
    'As `hidden`, for what the source says rather than a moderator. Either hides.',
    false,
  ),
  hidden_by_network_at: optional(
    type.Time,
    'Time of `hidden_by_network`; an older one than the known changes nothing. Absent: `updated_at`, else `created_at`.',
    1764865269,
  ),
};

export const actor = required(type.Identifier, 'The user who acts.', EXAMPLE_IDS.actor);
export const when = optional(type.Time, 'Time of the act. Absent: now.', 1764865269);
