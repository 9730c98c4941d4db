import { Type } from '@sinclair/typebox';
import { Count, Flag, ListOf, ObjectOf, strict, Text } from '../../answer/schema-parts.ts';
import { LIMITS } from '../../limits.ts';
import type { Service } from '../../service.ts';
import { INGEST } from '../identity/admissions.ts';
import { named } from '../openapi/schema.ts';
import { StoredItemSchema } from '../records/stored-record-schemas.ts';
import { json } from '../transport/answers.ts';
import { flagParameter, integerParameter } from '../transport/parameters.ts';
import { CONTENT_PATH } from '../transport/request-url.ts';
import { route } from '../transport/route.ts';
import { listedItems } from './listed-items.ts';

const ReportsSchema = named(
  'Reports',
  strict(
    {
      reports: ListOf(
        'The items, most hides and reports first.',
        ObjectOf('An item that was hidden or reported.', {
          item_id: Text('The item.'),
          hides_count: Count('Number of users who hid it.'),
          reports_count: Count('Number of users who reported it.'),
          hidden: Flag('Whether moderation already hides the item or its author.'),
          item: Type.Union([StoredItemSchema, Type.Null()], {
            description: 'The stored item. null: it is not described, or was deleted.',
          }),
        }),
        LIMITS.reports_listed_max,
      ),
      total: Count('Number of items in the list that was asked for: the open ones, or the dismissed ones.'),
      next_offset: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
        description: 'Offset of the next page. null: there is none.',
      }),
    },
    'Items by hides and reports.',
  ),
);

/** Which part of a list of reported items is asked for. */
interface Part {
  offset: number;
  limit: number;
  /** Whether the dismissed items are listed instead of the open ones. */
  dismissed: boolean;
}

/**
 * `GET /v2/community/reports`: items by their current number of hides and reports.
 *
 * The list ends early if the answer would be too large, and names the offset to continue at.
 */
async function reportedItems(service: Service, { offset, limit, dismissed }: Part, given_up: AbortSignal) {
  const { items, reports } = service.state;
  const total = dismissed ? reports.dismissed_count : reports.open_count;
  const reported = reports.mostReported(offset, limit, dismissed).map((key) => {
    const item = items.names.ordinal(key);
    return { item, counts: reports.of(item) };
  });
  const listed = await listedItems(
    service,
    reported.map(({ item }) => item),
    given_up,
  );
  const next = offset + listed.length;
  return {
    reports: listed.map(({ item_id, ...entry }, at) => ({ item_id, ...reported[at].counts, ...entry })),
    total,
    next_offset: next < total && listed.length > 0 ? next : null,
  };
}

const LIMIT = { min: 1, max: LIMITS.reports_listed_max, absent: LIMITS.reports_listed_default };
const OFFSET = { min: 0, max: Number.MAX_SAFE_INTEGER, absent: 0 };

/** The route that lists hidden and reported items, for moderators. */
export const reportRoutes = [
  route('GET', `${CONTENT_PATH}/reports`, {
    admit: INGEST,
    answered_by: 'current',
    query: {
      limit: integerParameter(LIMIT, 'Number of items.'),
      offset: integerParameter(OFFSET, 'Number of items to skip.'),
      dismissed: flagParameter('true: the dismissed items instead of the others.'),
    },
    answer: json(ReportsSchema),
    docs: {
      tag: 'Stored records',
      id: 'listReports',
      summary: 'Items that users hid and reported',
      description:
        'For moderators: lists items by the total of hides and reports, highest first; with equal totals, those that became known first. Hides and reports that were taken back do not count. To hide an item from all feeds, send it with `hidden: true`; it stays in this list, marked. To dismiss its hides and reports, send it with their number as `dismissed_reports_count`; it leaves this list until it has more. A page of this list is shorter when its items are large; continue at `next_offset`.',
      errors: ['store_unavailable'],
    },
    handle: ({ service, query, given_up }) => reportedItems(service, query, given_up),
  }),
];
