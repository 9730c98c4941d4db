import { Type } from '@sinclair/typebox';
import { ListOf, ObjectOf, OneOf, Seconds, Text } from '../../answer/schema-parts.ts';
import { EVENT_TYPES } from '../../model/acts.ts';
import { EXAMPLE_IDS } from '../../model/records/example-ids.ts';
import type { Service } from '../../service.ts';
import { INGEST } from '../identity/admissions.ts';
import { namedObject } from '../openapi/schema.ts';
import { readRoutes } from '../records/read-routes.ts';
import { describedItem } from '../records/stored-records.ts';
import { behind, CURSOR, cursorOf, FIRST_PLACE } from '../records/time-cursor.ts';
import { json } from '../transport/answers.ts';
import { integerParameter, optional, type ValuesOf, wordParameter } from '../transport/parameters.ts';

/** Entries that one request examines, since most of them may be of other types: about a millisecond. */
const EXAMINED_MAX = 100_000;

const ItemInteractionsSchema = namedObject('ItemInteractions', 'Who acted on an item.', {
  item_id: Text('The item.', EXAMPLE_IDS.item),
  interactions: ListOf(
    'The interactions, the latest first.',
    ObjectOf('An interaction.', {
      user_id: Text('The user.', EXAMPLE_IDS.viewer),
      event_type: OneOf(EVENT_TYPES, 'What the user did.'),
      timestamp: Seconds('When.'),
    }),
  ),
  cursor: Type.Optional(Text('For earlier ones. Absent: there are none.')),
});

const PAGE = {
  event_type: optional(
    wordParameter(EVENT_TYPES, 'Only interactions of this type. Default: all types.', { example: 'like' }),
  ),
  limit: integerParameter({ min: 1, max: 100, absent: 25 }, 'Maximum number of interactions.'),
  cursor: optional(CURSOR),
};

/** `GET /v2/community/items/<item_id>/interactions`, and the same with the identifier in the query. */
export const itemInteractionsRoutes = readRoutes('items', 'interactions', {
  admit: INGEST,
  answered_by: 'current',
  query: PAGE,
  answer: json(ItemInteractionsSchema),
  docs: {
    tag: 'Stored records',
    id: 'itemInteractions',
    summary: 'Who acted on an item',
    description:
      'Lists users who liked an item or acted on it in another way, the latest first. Interactions that were taken back, and those of hidden users, are left out. While an answer has a `cursor`, earlier ones may be left, even if its list is empty.',
    errors: ['not_found'],
  },
  handle: ({ service, params: { id }, query }) => interactionsOf(service, id, query),
});

function interactionsOf(
  { state: { items, users, interactions } }: Pick<Service, 'state'>,
  item_id: string,
  { event_type, limit, cursor: after = FIRST_PLACE }: ValuesOf<typeof PAGE>,
) {
  const item = describedItem(items, item_id);
  const log = interactions.by_item;
  const found: { user_id: string; event_type: (typeof EVENT_TYPES)[number]; timestamp: number }[] = [];
  let place = after;
  let at = log.firstAfter(item, after.time) - after.passed - 1;
  const last = Math.max(log.start(item), at - EXAMINED_MAX + 1);
  for (; at >= last && found.length < limit; at--) {
    place = behind(place, log.timestamp(at));
    const type = EVENT_TYPES[log.event_type(at)];
    if (log.removed(at) || (event_type ?? type) !== type) continue;
    found.push({ user_id: users.names.id(log.other(at)), event_type: type, timestamp: log.seconds(at) });
  }
  const has_more = at >= log.start(item);
  return { item_id, interactions: found, ...(has_more ? { cursor: cursorOf(place) } : {}) };
}
