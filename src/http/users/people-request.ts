import { invalidValue } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { omittable, type RecordOf, recordType } from '../../model/values/record-type.ts';
import * as type from '../../model/values/values.ts';
import { EXCLUDED_MAX, TOP_K_DEFAULT, TOP_K_MAX } from '../../people/bounds.ts';
import type { PageRequest } from '../../people/people.ts';

export const CONSISTENCIES = ['strong', 'eventual'] as const;

/** Texts that may be empty count as absent then, as in feed requests. */
export const PEOPLE_REQUEST = recordType('PeopleRequest', 'A request for users to follow.', {
  user_id: omittable(type.Identifier, 'The viewer.', EXAMPLE_IDS.viewer),
  wallet_address: omittable(
    type.clearableText(LIMITS.id_length_max),
    'The viewer, by an address in their profile. Ignored with `user_id`.',
  ),
  top_k: omittable(type.integer(1, TOP_K_MAX, { default: TOP_K_DEFAULT }), 'Maximum number of users.'),
  exclude_user_ids: omittable(
    type.list(type.Identifier, 0, EXCLUDED_MAX, 'identifiers'),
    'Users who must not be in the answer.',
  ),
  cursor: omittable(
    type.clearableText(LIMITS.cursor_length_max),
    'The cursor of the last answer. The next page has none of the users of earlier ones.',
  ),
  seed: omittable(
    type.integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    'Another seed reads other follows of a viewer who follows very many users. Default 0.',
  ),
  return_metadata: omittable(type.Flag, 'Adds names and pictures. Default false.'),
  explain: omittable(type.Flag, 'Adds the signals of each score. Default false.'),
  consistency: omittable(
    type.word(CONSISTENCIES),
    '`strong`: the answer reflects every acknowledged write. `eventual`: it may lag on a node that follows. Default: the setting of the service.',
  ),
  request_id: omittable(
    type.clearableText(LIMITS.request_id_length_max),
    'Accepted as in feed requests. Nothing is recorded, so a request can be repeated anyway.',
  ),
});

/** The page of a request, and its viewer. @throws ServiceError `invalid_value` if it names none */
export function peoplePage(fields: RecordOf<typeof PEOPLE_REQUEST>, viewer: string | undefined) {
  const { user_id = viewer, wallet_address = '', request_id: _, ...given } = fields;
  if (user_id === undefined && wallet_address === '')
    throw invalidValue([{ path: '/user_id', message: 'is required (or wallet_address)' }]);
  const defaults = { top_k: TOP_K_DEFAULT, exclude_user_ids: [], return_metadata: false, explain: false };
  const page: PageRequest = { ...defaults, ...given };
  return { user_id, wallet_address, page };
}
