import { type TSchema, Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { warningsFor } from '../feeds/check-parameters.ts';
import { LIMITS } from '../limits.ts';
import { NONE } from '../model/key.ts';
import { EXAMPLE_IDS } from '../model/records/example-ids.ts';
import { identifier } from '../model/values/checks.ts';
import { type Check, Refusal, refuse } from '../model/values/refusal.ts';
import type { Names } from '../state/names.ts';
import { ADMISSIONS, boundedBodies } from './bodies.ts';
import { checkedBy, unchecked } from './checked.ts';
import type { Host } from './host.ts';
import { listedItems } from './listed-items.ts';
import { described } from './openapi/operation.ts';
import { CONTENT_PATH } from './request-url.ts';
import { RecordsSchema } from './schemas/searches.ts';
import { listedUsers } from './searches.ts';

const IDENTIFIER = Type.Union([
  Type.String({ minLength: 1, maxLength: LIMITS.id_length_max }),
  Type.Integer(),
]);

function identifiers(description: string, example: readonly string[]): TSchema {
  return Type.Optional(
    checkedBy<string[]>(
      Type.Array(IDENTIFIER, { maxItems: LIMITS.searched_max, description, example }),
      identifiersIn,
    ),
  );
}

/** Null and an absent list name nothing. An identifier that is sent twice counts once. */
const identifiersIn: Check<string[]> = (value) => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return refuse('must be a list of identifiers');
  if (value.length > LIMITS.searched_max) return refuse(`must have at most ${LIMITS.searched_max} entries`);
  const ids = new Set<string>();
  for (const [at, entry] of value.entries()) {
    const id = identifier(entry);
    if (id instanceof Refusal)
      return new Refusal(id.faults.map(({ path, message }) => ({ path: `/${at}${path}`, message })));
    ids.add(id);
  }
  return [...ids];
};

const NamedRecordsSchema = Type.Object(
  {
    users: identifiers('Identifiers of users.', [EXAMPLE_IDS.viewer, EXAMPLE_IDS.other_viewer]),
    items: identifiers('Identifiers of items.', [EXAMPLE_IDS.item]),
  },
  { description: 'The records to read.', additionalProperties: true },
);

/** `POST /v2/community/records/read`: many users and items in one answer. */
export function batchRoutes(host: Host) {
  return new Elysia({ prefix: CONTENT_PATH }).use(boundedBodies(host)).post(
    '/records/read',
    async ({ request, body }) => {
      const { service } = host.admitted(request);
      const { users, items, ...others } = body as Record<string, string[] | undefined>;
      const { state } = service;
      const warnings = warningsFor(Object.keys(others), '', 'ignored');
      const wanted = known(state.items.names, items);
      const listed = await listedItems(service, wanted, request.signal);
      const unread = wanted.slice(listed.length).map((item) => state.items.names.id(item));
      return {
        users: await listedUsers(service, known(state.users.names, users), request.signal),
        items: listed,
        ...(unread.length > 0 ? { unread_items: unread } : {}),
        ...(warnings.length > 0 ? { warnings } : {}),
      };
    },
    {
      parse: 'bounded_identifiers',
      body: NamedRecordsSchema,
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

function known(names: Names, ids: readonly string[] = []): number[] {
  return ids.map((id) => names.find(id)).filter((ordinal) => ordinal !== NONE);
}
