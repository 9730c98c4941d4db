import { LIMITS } from '../../limits.ts';
import { NONE } from '../../model/key.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { objectOf, omittable, recordType } from '../../model/values/record-type.ts';
import * as type from '../../model/values/values.ts';
import type { Names } from '../../state/names.ts';
import { MODERATORS } from '../identity/admissions.ts';
import { listedItems } from '../items/listed-items.ts';
import { json, warned } from '../transport/answers.ts';
import { bodyOf } from '../transport/body.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { route } from '../transport/route.ts';
import { RecordsSchema } from './search-schemas.ts';
import { listedUsers } from './searches.ts';

const Identifiers = type.list(type.Identifier, 0, LIMITS.searched_max, 'identifiers');

const NAMED_RECORDS = recordType('NamedRecords', 'The records to read.', {
  users: omittable(Identifiers, 'Identifiers of users.', [EXAMPLE_IDS.viewer, EXAMPLE_IDS.other_viewer]),
  items: omittable(Identifiers, 'Identifiers of items.', [EXAMPLE_IDS.item]),
});

/** `POST /v2/community/records/read`: many users and items in one answer. */
export const batchRoutes = [
  route('POST', `${CONTENT_PATH}/records/read`, {
    admit: MODERATORS,
    answered_by: 'current',
    body: bodyOf(objectOf(NAMED_RECORDS), {
      docs: {
        description: 'The identifiers.',
        examples: {
          names: { summary: 'Two users', value: { users: [EXAMPLE_IDS.viewer, EXAMPLE_IDS.other_viewer] } },
        },
      },
    }),
    answer: json(RecordsSchema),
    docs: {
      tag: 'Stored records',
      id: 'readRecords',
      summary: 'Read users and items by identifier',
      description: `Returns up to ${LIMITS.searched_max} users and ${LIMITS.searched_max} items in the order of their identifiers, with hidden ones, which are marked. Unknown identifiers are left out. Items that would make the answer too large are named in \`unread_items\`: ask for them again.`,
      errors: ['store_unavailable'],
    },
    async handle({ service, body, warnings, given_up }) {
      const { items, users } = service.state;
      const wanted = known(items.names, body.items);
      const listed = await listedItems(service, wanted, given_up);
      const unread = wanted.slice(listed.length).map((item) => items.names.id(item));
      return {
        users: await listedUsers(service, known(users.names, body.users), given_up),
        items: listed,
        ...(unread.length > 0 ? { unread_items: unread } : {}),
        ...warned(warnings),
      };
    },
  }),
];

/** The ordinals of identifiers that are known, each once. */
function known(names: Names, ids: readonly string[] = []): number[] {
  return [...new Set(ids)].map((id) => names.find(id)).filter((ordinal) => ordinal !== NONE);
}
