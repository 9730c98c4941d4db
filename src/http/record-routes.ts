import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { Text, Time } from '../ingest/records/schema-parts.ts';
import type { Service } from '../service.ts';
import type { Host } from './host.ts';
import { BY_QUERY, documented, type Operation, type Parameter } from './openapi/operation.ts';
import { removalOptions } from './removal-options.ts';
import { inPath, onceInQuery } from './request-url.ts';
import { DoneSchema } from './schemas/ingest.ts';
import { StoredItemSchema, StoredUserSchema } from './schemas/stored-records.ts';
import { storedItem, storedUser } from './stored-records.ts';

type Kind = 'items' | 'users';
type RecordDocs = Pick<Operation, 'id' | 'summary' | 'description' | 'answers' | 'errors'>;

/** Per kind: name of the identifier, the noun, and an example identifier. */
const IDS = {
  items: { name: 'item_id', what: 'item', example: '0x07cb1f36' },
  users: { name: 'user_id', what: 'user', example: '9152' },
} as const;

const READ_DOCS: Record<Kind, RecordDocs> = {
  items: {
    id: 'storedItem',
    summary: 'An item',
    description: 'Returns the stored fields of an item, with its engagement counts.',
    answers: { 200: { description: 'The item.', content: { schema: StoredItemSchema } } },
    errors: ['invalid_value', 'not_found', 'store_unavailable'],
  },
  users: {
    id: 'storedUser',
    summary: 'A user',
    description: 'Returns the stored fields of a user, with counts, follows and latest interactions.',
    answers: { 200: { description: 'The user.', content: { schema: StoredUserSchema } } },
    errors: ['invalid_value', 'not_found', 'store_unavailable'],
  },
};

const REMEMBERED =
  'For 90 days a record that is older than the deletion, or not newer than the last version before it, is counted as accepted, changes nothing and is named in `warnings`. The same holds for acts from before the deletion. A newer record counts, and so does any record with `"revive":true`. A deletion that is older than the stored version, or that was sent before, changes nothing. If nothing is stored, a deletion without `timestamp` gets 404 and one with `timestamp` gets 200. In both cases older records are ignored when they arrive later.';

const TIMESTAMP: Parameter = {
  name: 'timestamp',
  in: 'query',
  description:
    'Time of the deletion at its source, in the same forms as in records. Default: now, also for times in the future.',
  schema: Time,
  example: 1764865269,
};

const KEEP_ITEMS: Parameter = {
  name: 'keep_items',
  in: 'query',
  description:
    'true: the items of the user stay, without an author. Not allowed for a hidden user, whose items would become visible. Default false.',
  schema: Type.Boolean(),
  example: false,
};

const DELETE_PARAMETERS: Record<Kind, Parameter[]> = { items: [TIMESTAMP], users: [TIMESTAMP, KEEP_ITEMS] };

const DELETE_DOCS: Record<Kind, RecordDocs> = {
  items: {
    id: 'deleteItem',
    summary: 'Delete an item',
    description: `Removes the item from every feed immediately. ${REMEMBERED}`,
    answers: { 200: { description: 'The item is deleted.', content: { schema: DoneSchema } } },
    errors: ['invalid_value', 'not_found', 'write_queue_full', 'store_unavailable'],
  },
  users: {
    id: 'deleteUser',
    summary: 'Erase a user',
    description: `Removes the profile, follows, interactions, impressions and items of the user from answers immediately, and from the tables within 24 hours or at the next clean stop. If another process still reads them then (a backup, a standby), they are removed soon after the next start. ${REMEMBERED} The mark of the erasure does not contain the identifier in clear text.`,
    answers: { 200: { description: 'The user is erased.', content: { schema: DoneSchema } } },
    errors: ['invalid_value', 'not_found', 'write_queue_full', 'store_unavailable'],
  },
};

/**
 * Routes that read and delete records under `/v2/<network>`, by an identifier in the path or the query. Records are read
 * by query in `search-routes.ts`.
 */
export function recordRoutes(host: Host, network: string) {
  const routes = new Elysia({ prefix: `/v2/${network}` });
  const enter = (request: Request) => {
    const service = host.ready();
    host.authenticate(request, { scope: 'ingest:write' });
    return service;
  };
  const read = { items: storedItem, users: storedUser };
  for (const kind of ['items', 'users'] as const) {
    const { name } = IDS[kind];
    routes
      .get(
        `/${kind}/:id`,
        ({ request, params }) => read[kind](enter(request), inPath(request, params.id), request.signal),
        docs(kind, READ_DOCS[kind], 'path'),
      )
      .delete(
        `/${kind}/:id`,
        ({ request, params }) => remove(kind, enter(request), inPath(request, params.id), request),
        docs(kind, DELETE_DOCS[kind], 'path', DELETE_PARAMETERS[kind]),
      )
      .delete(
        `/${kind}`,
        ({ request }) => remove(kind, enter(request), onceInQuery(request, name), request),
        docs(kind, DELETE_DOCS[kind], 'query', DELETE_PARAMETERS[kind]),
      );
  }
  return routes;
}

async function remove(kind: Kind, { ingest }: Service, id: string, request: Request): Promise<object> {
  const options = removalOptions(request);
  const { is_done, warnings } =
    kind === 'items' ? await ingest.deleteItem(id, options) : await ingest.deleteUser(id, options);
  const done = kind === 'items' ? 'deleted' : 'erased';
  const message = `${IDS[kind].what} '${id}' ${is_done ? done : `not ${done}: see warnings`}`;
  return { status: 'success', message, ...(warnings.length > 0 ? { warnings } : {}) };
}

function docs(
  kind: Kind,
  { id, description, ...operation }: RecordDocs,
  place: 'path' | 'query',
  further: Parameter[] = [],
) {
  const { name, what, example } = IDS[kind];
  const by_query = place === 'query';
  const parameter: Parameter = {
    name: by_query ? name : 'id',
    in: place,
    description: `Identifier of the ${what}, percent-encoded.`,
    schema: Text,
    required: true,
    example,
  };
  return documented({
    ...operation,
    tag: 'Stored records',
    id: by_query ? `${id}ByQuery` : id,
    description: by_query ? `${description} ${BY_QUERY}` : description,
    key: 'ingest:write',
    parameters: [parameter, ...further],
  });
}
