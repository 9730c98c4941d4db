import { type TProperties, Type } from '@sinclair/typebox';
import type { RemovalOptions } from '../../ingest/removals.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { removalAnswer } from '../ingest/ingest-answer.ts';
import { DoneSchema } from '../ingest/ingest-schemas.ts';
import { byQuery, described, type OperationDocs } from '../openapi/operation.ts';
import { ADMISSIONS, keyedRoutes } from '../transport/bodies.ts';
import { unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import {
  flagParameter,
  identifierParameter,
  removalQueryOf,
  timeParameter,
} from '../transport/url-parameters.ts';
import { StoredItemSchema, StoredUserSchema } from './stored-record-schemas.ts';
import { storedItem, storedUser } from './stored-records.ts';

type Kind = 'items' | 'users';

/** Per kind: name of the identifier in the query, its schema, the noun, and the reading. */
const KINDS = {
  items: {
    name: 'item_id',
    id: identifierParameter('item', EXAMPLE_IDS.item),
    deleted_id: identifierParameter('item', EXAMPLE_IDS.deleted_item),
    what: 'item',
    read: storedItem,
    stored: StoredItemSchema,
  },
  users: {
    name: 'user_id',
    id: identifierParameter('user', EXAMPLE_IDS.viewer),
    deleted_id: identifierParameter('user', EXAMPLE_IDS.erased_user),
    what: 'user',
    read: storedUser,
    stored: StoredUserSchema,
  },
} as const;

const REMEMBERED =
  'For 90 days a record that is older than the deletion, or not newer than the last version before it, is counted as accepted, changes nothing and is named in `warnings`. The same holds for acts from before the deletion. A newer record counts, and so does any record with `"revive":true`. A deletion that is older than the stored version, or that was sent before, changes nothing. If nothing is stored, a deletion without `timestamp` gets 404 and one with `timestamp` gets 200. In both cases older records are ignored when they arrive later.';

const TIMESTAMP = timeParameter(
  'Time of the deletion at its source, in the same forms as in records. Default: now, also for times in the future.',
  1764865269,
);

const KEEP_ITEMS = flagParameter(
  'true: the items of the user stay, without an author. Not allowed for a hidden user, whose items would become visible.',
);

/** The query of a deletion, per kind of record. */
const REMOVAL_PARAMETERS = {
  items: { timestamp: Type.Optional(TIMESTAMP) },
  users: { timestamp: Type.Optional(TIMESTAMP), keep_items: Type.Optional(KEEP_ITEMS) },
};

const ERRORS = ['invalid_value', 'not_found', 'store_unavailable'] as const;
const READ = { tag: 'Stored records', admission: ADMISSIONS.ingest, errors: ERRORS } as const;
const DELETE = { ...READ, errors: [...ERRORS, 'write_queue_full'] } as const;

const READ_DOCS: Record<Kind, OperationDocs> = {
  items: {
    ...READ,
    id: 'storedItem',
    summary: 'An item',
    description: 'Returns the stored fields of an item, with its engagement counts.',
  },
  users: {
    ...READ,
    id: 'storedUser',
    summary: 'A user',
    description:
      'Returns the stored fields of a user, with counts, follows and latest interactions. A viewer without a user record of whom it is stored what they saw has none of these.',
  },
};

const DELETE_DOCS: Record<Kind, OperationDocs> = {
  items: {
    ...DELETE,
    id: 'deleteItem',
    summary: 'Delete an item',
    description: `Removes the item from every feed immediately. ${REMEMBERED}`,
  },
  users: {
    ...DELETE,
    id: 'deleteUser',
    summary: 'Erase a user',
    description: `Removes the profile, follows, interactions and items of the user, and what they saw, from answers immediately, and from the tables within 24 hours or at the next clean stop. If another process still reads them then (a backup, a standby), they are removed soon after the next start. A viewer without a user record of whom it is stored what they saw is erased, too. ${REMEMBERED} The mark of the erasure does not contain the identifier in clear text.`,
  },
};

/** Routes that read and delete records under `/v2/community`, by an identifier in the path or the query. */
export function recordRoutes(host: Host) {
  const routes = keyedRoutes(host, CONTENT_PATH, ADMISSIONS.ingest);
  for (const kind of ['items', 'users'] as const) {
    const { name, id, deleted_id, read, stored } = KINDS[kind];
    const withId = <T extends TProperties>(others: T) =>
      removalQueryOf<T>(Object.assign({ [name]: deleted_id }, others));
    const idIn = (query: Record<string, unknown>) => String(query[name]);
    const found = (request: Request, id: string) => read(host.admitted(request).service, id, request.signal);
    routes
      .get(`/${kind}/:id`, async ({ request, params: { id } }) => found(request, id), {
        params: Type.Object({ id }),
        response: { 200: unchecked(stored) },
        detail: described(READ_DOCS[kind]),
      })
      .delete(
        `/${kind}/:id`,
        async ({ request, params, query }) => remove(host, request, kind, params.id, query),
        {
          params: Type.Object({ id: deleted_id }),
          query: removalQueryOf(REMOVAL_PARAMETERS[kind]),
          response: { 200: unchecked(DoneSchema) },
          detail: described(DELETE_DOCS[kind]),
        },
      )
      .delete(`/${kind}`, async ({ request, query }) => remove(host, request, kind, idIn(query), query), {
        query: withId(REMOVAL_PARAMETERS[kind]),
        response: { 200: unchecked(DoneSchema) },
        detail: described(byQuery(DELETE_DOCS[kind])),
      });
  }
  return routes;
}

async function remove(
  host: Host,
  request: Request,
  kind: Kind,
  id: string,
  { timestamp, keep_items }: RemovalOptions,
): Promise<object> {
  const { account, service } = host.admitted(request);
  const { ingest } = service;
  const removed =
    kind === 'items'
      ? await ingest.deleteItem(id, { timestamp, account })
      : await ingest.deleteUser(id, { timestamp, keep_items, account });
  return removalAnswer(`${KINDS[kind].what} '${id}'`, kind === 'items' ? 'deleted' : 'erased', removed);
}
