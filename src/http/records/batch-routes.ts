import { Elysia } from 'elysia';
import { LIMITS } from '../../limits.ts';
import { NONE } from '../../model/key.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { objectOf, omittable, recordType } from '../../model/values/record-type.ts';
import * as type from '../../model/values/values.ts';
import type { Names } from '../../state/names.ts';
import { listedItems } from '../items/listed-items.ts';
import { described } from '../openapi/operation.ts';
import { ADMISSIONS, boundedBodies } from '../transport/bodies.ts';
import { bodyOf, unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { RecordsSchema } from './search-schemas.ts';
import { listedUsers } from './searches.ts';

const Identifiers = type.list(type.Identifier, 0, LIMITS.searched_max, 'identifiers');

const NAMED_RECORDS = recordType('NamedRecords', 'The records to read.', {
  users: omittable(Identifiers, 'Identifiers of users.', [EXAMPLE_IDS.viewer, EXAMPLE_IDS.other_viewer]),
  items: omittable(Identifiers, 'Identifiers of items.', [EXAMPLE_IDS.item]),
});

/** `POST /v2/community/records/read`: many users and items in one answer. */
export function batchRoutes(host: Host) {
  return new Elysia({ prefix: CONTENT_PATH }).use(boundedBodies(host)).post(
    '/records/read',
    async ({ request, body: { value, warnings } }) => {
      const { service } = host.admitted(request);
      const { state } = service;
      const wanted = known(state.items.names, value.items);
      const listed = await listedItems(service, wanted, request.signal);
      const unread = wanted.slice(listed.length).map((item) => state.items.names.id(item));
      return {
        users: await listedUsers(service, known(state.users.names, value.users), request.signal),
        items: listed,
        ...(unread.length > 0 ? { unread_items: unread } : {}),
        ...(warnings.length > 0 ? { warnings } : {}),
      };
    },
    {
      parse: 'bounded_identifiers',
      body: bodyOf(objectOf(NAMED_RECORDS)),
      response: { 200: unchecked(RecordsSchema) },
      detail: described({
        tag: 'Stored records',
        id: 'readRecords',
        summary: 'Read users and items by identifier',
        description: `Returns up to ${LIMITS.searched_max} users and ${LIMITS.searched_max} items in the order of their identifiers, with hidden ones, which are marked. Unknown identifiers are left out. Items that would make the answer too large are named in \`unread_items\`: ask for them again.`,
        admission: ADMISSIONS.moderators,
        errors: ['invalid_value', 'store_unavailable'],
        body: {
          description: 'The identifiers.',
          examples: {
            names: { summary: 'Two users', value: { users: [EXAMPLE_IDS.viewer, EXAMPLE_IDS.other_viewer] } },
          },
        },
      }),
    },
  );
}

/** The ordinals of identifiers that are known, each once. */
function known(names: Names, ids: readonly string[] = []): number[] {
  return [...new Set(ids)].map((id) => names.find(id)).filter((ordinal) => ordinal !== NONE);
}
