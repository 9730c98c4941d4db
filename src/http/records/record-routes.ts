import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import { INGEST } from '../identity/admissions.ts';
import { removalAnswer } from '../ingest/ingest-answer.ts';
import { DoneSchema } from '../ingest/ingest-schemas.ts';
import { json } from '../transport/answers.ts';
import { flagParameter, identifierParameter, optional, timeParameter } from '../transport/parameters.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { type Route, route, withTwin } from '../transport/route.ts';
import { StoredItemSchema, StoredUserSchema } from './stored-record-schemas.ts';
import { storedItem, storedUser } from './stored-records.ts';

const REMEMBERED =
  'For 90 days a record that is older than the deletion, or not newer than the last version before it, is counted as accepted, changes nothing and is named in `warnings`. The same holds for acts from before the deletion. A newer record counts, and so does any record with `"revive":true`. A deletion that is older than the stored version, or that was sent before, changes nothing. If nothing is stored, a deletion without `timestamp` gets 404 and one with `timestamp` gets 200. In both cases older records are ignored when they arrive later.';

const TIMESTAMP = timeParameter(
  'Time of the deletion at its source, in the same forms as in records. Default: now, also for times in the future.',
  1764865269,
);

const KEEP_ITEMS = flagParameter(
  'true: the items of the user stay, without an author. Not allowed for a hidden user, whose items would become visible.',
);

const READ = { admit: INGEST, answered_by: 'current' } as const;
/** Unknown parameters are refused: without its misspelt `timestamp` or `keep_items`, a deletion would remove too much. */
const DELETE = {
  admit: INGEST,
  answered_by: 'leader',
  is_query_closed: true,
  answer: json(DoneSchema),
} as const;

const ERRORS = ['not_found', 'store_unavailable'] as const;
const READ_DOCS = { tag: 'Stored records', errors: ERRORS } as const;
const DELETE_DOCS = { tag: 'Stored records', errors: [...ERRORS, 'write_queue_full'] } as const;

/** Routes that read and delete records under `/v2/community`, by an identifier in the path or the query. */
export const recordRoutes: Route[] = [
  route('GET', `${CONTENT_PATH}/items/:id`, {
    ...READ,
    params: { id: identifierParameter('item', EXAMPLE_IDS.item) },
    answer: json(StoredItemSchema),
    docs: {
      ...READ_DOCS,
      id: 'storedItem',
      summary: 'An item',
      description: 'Returns the stored fields of an item, with its engagement counts.',
    },
    handle: ({ service, params: { id }, given_up }) => storedItem(service, id, given_up),
  }),
  ...withTwin(
    'item_id',
    route('DELETE', `${CONTENT_PATH}/items/:id`, {
      ...DELETE,
      params: { id: identifierParameter('item', EXAMPLE_IDS.deleted_item) },
      query: { timestamp: optional(TIMESTAMP) },
      docs: {
        ...DELETE_DOCS,
        id: 'deleteItem',
        summary: 'Delete an item',
        description: `Removes the item from every feed immediately. ${REMEMBERED}`,
      },
      async handle({ service, principal: { account }, params: { id }, query: { timestamp } }) {
        return removalAnswer(
          `item '${id}'`,
          'deleted',
          await service.ingest.deleteItem(id, { timestamp, account }),
        );
      },
    }),
  ),
  route('GET', `${CONTENT_PATH}/users/:id`, {
    ...READ,
    params: { id: identifierParameter('user', EXAMPLE_IDS.viewer) },
    answer: json(StoredUserSchema),
    docs: {
      ...READ_DOCS,
      id: 'storedUser',
      summary: 'A user',
      description:
        'Returns the stored fields of a user, with counts, follows and latest interactions. A viewer without a user record of whom it is stored what they saw has none of these.',
    },
    handle: ({ service, params: { id }, given_up }) => storedUser(service, id, given_up),
  }),
  ...withTwin(
    'user_id',
    route('DELETE', `${CONTENT_PATH}/users/:id`, {
      ...DELETE,
      params: { id: identifierParameter('user', EXAMPLE_IDS.erased_user) },
      query: { timestamp: optional(TIMESTAMP), keep_items: KEEP_ITEMS },
      docs: {
        ...DELETE_DOCS,
        id: 'deleteUser',
        summary: 'Erase a user',
        description: `Removes the profile, follows, interactions and items of the user, and what they saw, from answers immediately, and from the tables within 24 hours or at the next clean stop. If another process still reads them then (a backup, a standby), they are removed soon after the next start. A viewer without a user record of whom it is stored what they saw is erased, too. ${REMEMBERED} The mark of the erasure does not contain the identifier in clear text.`,
      },
      async handle({ service, principal: { account }, params: { id }, query: { timestamp, keep_items } }) {
        const erased = await service.ingest.deleteUser(id, { timestamp, keep_items, account });
        return removalAnswer(`user '${id}'`, 'erased', erased);
      },
    }),
  ),
];
