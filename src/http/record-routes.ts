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

/** Name of the identifier, what it identifies, and an example of one. */
const IDS = {
  items: { name: 'item_id', what: 'item', example: '0x07cb1f36' },
  users: { name: 'user_id', what: 'user', example: '9152' },
} as const;

const READ_DOCS: Record<Kind, RecordDocs> = {
  items: {
    id: 'storedItem',
    summary: 'An item',
    description: 'What is stored of an item, with its engagement counts.',
    answers: { 200: { description: 'The item.', content: { schema: StoredItemSchema } } },
    errors: ['invalid_value', 'not_found', 'store_unavailable'],
  },
  users: {
    id: 'storedUser',
    summary: 'A user',
    description: 'What is stored of a user, with counts, follows and latest interactions.',
    answers: { 200: { description: 'The user.', content: { schema: StoredUserSchema } } },
    errors: ['invalid_value', 'not_found', 'store_unavailable'],
  },
};

const REMEMBERED =
  'For 90 days a version that is older than the deletion, or not newer than the last one known before it, counts as accepted, changes nothing and is named in `warnings`; so do acts from before it. A newer version counts, and so does any with `"revive":true`. A deletion that is older than what is there, or was obeyed before, changes nothing. Without a `timestamp`, 404 says that there is nothing to delete; with one the answer is 200. In both cases what the deletion has overtaken is ignored when it arrives.';

const TIMESTAMP: Parameter = {
  name: 'timestamp',
  in: 'query',
  description: 'When it was deleted at its source, in the forms that records take. Absent, or ahead: now.',
  schema: Time,
  example: 1764865269,
};

const KEEP_ITEMS: Parameter = {
  name: 'keep_items',
  in: 'query',
  description:
    'true: the items of the user stay, without an author. Not for a hidden user, whose items would be shown again. Absent: false.',
  schema: Type.Boolean(),
  example: false,
};

const DELETE_PARAMETERS: Record<Kind, Parameter[]> = { items: [TIMESTAMP], users: [TIMESTAMP, KEEP_ITEMS] };

const DELETE_DOCS: Record<Kind, RecordDocs> = {
  items: {
    id: 'deleteItem',
    summary: 'Delete an item',
    description: `It is gone from every feed at once. ${REMEMBERED}`,
    answers: { 200: { description: 'It is deleted.', content: { schema: DoneSchema } } },
    errors: ['invalid_value', 'not_found', 'write_queue_full', 'store_unavailable'],
  },
  users: {
    id: 'deleteUser',
    summary: 'Erase a user',
    description: `Profile, follows, interactions, impressions and items are gone from answers at once, and from the tables within 24 hours or at the next clean stop; if somebody still reads them then (a backup, a standby), soon after the next start. ${REMEMBERED} Nothing that marks the erasure holds the identifier in the clear.`,
    answers: { 200: { description: 'They are erased.', content: { schema: DoneSchema } } },
    errors: ['invalid_value', 'not_found', 'write_queue_full', 'store_unavailable'],
  },
};

/** Reading back and deletion of records under `/v2/<network>`, by an identifier in the path or in the query. */
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
      .get(
        `/${kind}`,
        ({ request }) => read[kind](enter(request), onceInQuery(request, name), request.signal),
        docs(kind, READ_DOCS[kind], 'query'),
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
