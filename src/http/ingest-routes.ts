import { Elysia } from 'elysia';
import { ServiceError } from '../errors.ts';
import type { RecordKind } from '../ingest/ingest.ts';
import { Identifier } from '../ingest/records/schema-parts.ts';
import { readRecords } from './body.ts';
import type { Host } from './host.ts';
import { ingestAnswer } from './ingest-answer.ts';
import { documented, type Parameter } from './openapi/operation.ts';
import { urlOf } from './request-url.ts';
import { DoneSchema, IngestAnswerSchema, IngestProblemSchema, ingestContents } from './schemas/ingest.ts';
import { StoredItemSchema, StoredUserSchema } from './schemas/stored-records.ts';
import { storedItem, storedUser } from './stored-records.ts';

const KINDS: readonly RecordKind[] = ['items', 'users', 'follows', 'blocks', 'interactions'];

const DOCS: Record<RecordKind, { id: string; summary: string; description: string }> = {
  items: {
    id: 'ingestItems',
    summary: 'Items, and changes of items',
    description: 'Fields given replace what is stored under the same `item_id`, others stay.',
  },
  users: {
    id: 'ingestUsers',
    summary: 'Users, and changes of users',
    description: 'Fields given replace what is stored under the same `user_id`, others stay.',
  },
  follows: {
    id: 'ingestFollows',
    summary: 'Who follows whom',
    description: 'The later timestamp decides; ties by arrival.',
  },
  blocks: {
    id: 'ingestBlocks',
    summary: 'Who blocks whom',
    description: "Neither side's items nor acts reach the other.",
  },
  interactions: {
    id: 'ingestInteractions',
    summary: 'What users do with items',
    description:
      'One like, share, bookmark, view, hide or report stands per user and item; the later timestamp decides. May arrive before the item. A comment with neither `event_id` nor `timestamp` is another one each time, also when the record is sent again.',
  },
};

const DURABLE =
  'Answered when every accepted record is durable and visible to the next request. Sending a record again changes nothing.';

const ITEM_ID = idParameter('item', '0x07cb1f36');
const USER_ID = idParameter('user', '9152');

function ingestDocs(kind: RecordKind) {
  return documented({
    ...DOCS[kind],
    description: `${DOCS[kind].description} ${DURABLE}`,
    tag: 'Ingest',
    key: 'ingest:write',
    body: {
      description: 'A record, an array of up to 10,000, or one record a line; at most 16 MiB.',
      required: true,
      content: ingestContents(kind),
    },
    answers: {
      200: { description: 'At least one was accepted.', content: { schema: IngestAnswerSchema } },
    },
    errors: ['write_queue_full', 'store_unavailable'],
    problem: IngestProblemSchema,
  });
}

const RECORD_DOCS = {
  storedItem: documented({
    tag: 'Stored records',
    id: 'storedItem',
    summary: 'An item',
    description: 'What is stored of an item, with its engagement counts.',
    key: 'ingest:write',
    parameters: [ITEM_ID],
    answers: { 200: { description: 'The item.', content: { schema: StoredItemSchema } } },
    errors: ['invalid_value', 'not_found', 'store_unavailable'],
  }),
  storedUser: documented({
    tag: 'Stored records',
    id: 'storedUser',
    summary: 'A user',
    description: 'What is stored of a user, with counts, follows and latest interactions.',
    key: 'ingest:write',
    parameters: [USER_ID],
    answers: { 200: { description: 'The user.', content: { schema: StoredUserSchema } } },
    errors: ['invalid_value', 'not_found', 'store_unavailable'],
  }),
  deleteItem: documented({
    tag: 'Stored records',
    id: 'deleteItem',
    summary: 'Delete an item',
    description: 'It is gone from every feed at once, and may be ingested again.',
    key: 'ingest:write',
    parameters: [ITEM_ID],
    answers: { 200: { description: 'It is deleted.', content: { schema: DoneSchema } } },
    errors: ['invalid_value', 'not_found', 'write_queue_full', 'store_unavailable'],
  }),
  deleteUser: documented({
    tag: 'Stored records',
    id: 'deleteUser',
    summary: 'Erase a user',
    description:
      'Profile, follows, interactions, impressions and items are gone from answers at once, and from the tables within 24 hours or at the next clean stop; if somebody still reads them then (a backup, a standby), soon after the next start.',
    key: 'ingest:write',
    parameters: [USER_ID],
    answers: { 200: { description: 'They are erased.', content: { schema: DoneSchema } } },
    errors: ['invalid_value', 'not_found', 'write_queue_full', 'store_unavailable'],
  }),
};

/** Ingest, deletion and reading back of records under `/v2/<network>`. */
export function ingestRoutes(host: Host, network: string) {
  const routes = new Elysia({ prefix: `/v2/${network}` });
  const enter = (request: Request) => {
    const service = host.ready();
    host.authenticate(request, 'ingest:write');
    return service;
  };
  for (const kind of KINDS) {
    routes.post(
      `/${kind}`,
      async ({ request, set }) => {
        const service = enter(request);
        const result = await service.ingest.ingest(kind, await readRecords(request, host.room(request)));
        host.metrics.ingested('content', kind, result);
        return ingestAnswer(result, set);
      },
      {
        parse: 'none',
        ...ingestDocs(kind),
      },
    );
  }
  return routes
    .get(
      '/items/:id',
      ({ request, params }) => storedItem(enter(request), decoded(request, params.id), request.signal),
      RECORD_DOCS.storedItem,
    )
    .get(
      '/users/:id',
      ({ request, params }) => storedUser(enter(request), decoded(request, params.id), request.signal),
      RECORD_DOCS.storedUser,
    )
    .delete(
      '/items/:id',
      async ({ request, params }) => {
        const service = enter(request);
        const item_id = decoded(request, params.id);
        await service.ingest.deleteItem(item_id);
        return { status: 'success', message: `item '${item_id}' deleted` };
      },
      RECORD_DOCS.deleteItem,
    )
    .delete(
      '/users/:id',
      async ({ request, params }) => {
        const service = enter(request);
        const user_id = decoded(request, params.id);
        await service.ingest.deleteUser(user_id);
        return { status: 'success', message: `user '${user_id}' erased` };
      },
      RECORD_DOCS.deleteUser,
    );
}

function idParameter(what: string, example: string): Parameter {
  return {
    name: 'id',
    in: 'path',
    description: `Identifier of the ${what}, percent-encoded.`,
    schema: Identifier,
    example,
  };
}

/**
 * An identifier out of a path, percent-decoded by the router, which makes U+FFFD or null of what it cannot decode.
 * @throws ServiceError `invalid_value`
 */
function decoded(request: Request, id: string | null): string {
  if (id !== null && (!id.includes('\ufffd') || isDecodable(urlOf(request).pathname))) return id;
  throw new ServiceError('invalid_value', 'the identifier in the path is not percent-encoded UTF-8');
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
