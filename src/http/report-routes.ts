import { Elysia } from 'elysia';
import { LIMITS } from '../limits.ts';
import { ADMISSIONS } from './bodies.ts';
import { unchecked } from './checked.ts';
import type { Host } from './host.ts';
import { described } from './openapi/operation.ts';
import { reportedItems } from './reported-items.ts';
import { ReportsSchema } from './schemas/reports.ts';
import { flagParameter, integerParameter, queryOf, strictParameters } from './url-parameters.ts';

const LIMIT = { min: 1, max: LIMITS.reports_listed_max, absent: LIMITS.reports_listed_default };
const OFFSET = { min: 0, max: Number.MAX_SAFE_INTEGER, absent: 0 };

const LISTING = queryOf({
  limit: integerParameter(LIMIT, 'Number of items.'),
  offset: integerParameter(OFFSET, 'Number of items to skip.'),
  dismissed: flagParameter('true: the dismissed items instead of the others.'),
});

/** The route that lists hidden and reported items, for moderators. */
export function reportRoutes(host: Host, network: string) {
  return new Elysia({ prefix: `/v2/${network}` })
    .onTransform(({ request }) => host.admit(request, ADMISSIONS.ingest))
    .onTransform(strictParameters)
    .get(
      '/reports',
      async ({ request, query: { limit, offset, dismissed } }) =>
        reportedItems(host.admitted(request).service, { offset, limit, dismissed }, request.signal),
      {
        query: LISTING,
        response: { 200: unchecked(ReportsSchema) },
        detail: described({
          tag: 'Stored records',
          id: 'listReports',
          summary: 'Items that users hid and reported',
          description:
            'For moderators: lists items by the total of hides and reports, highest first; with equal totals, those that became known first. Hides and reports that were taken back do not count. To hide an item from all feeds, send it with `hidden: true`; it stays in this list, marked. To dismiss its hides and reports, send it with their number as `dismissed_reports_count`; it leaves this list until it has more. A page of this list is shorter when its items are large; continue at `next_offset`.',
          admission: ADMISSIONS.ingest,
          errors: ['invalid_value', 'store_unavailable'],
        }),
      },
    );
}
