import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { LIMITS } from '../limits.ts';
import type { Host } from './host.ts';
import { documented } from './openapi/operation.ts';
import { reportedItems } from './reported-items.ts';
import { integerInQuery } from './request-url.ts';
import { ReportsSchema } from './schemas/reports.ts';

const LIMIT = { min: 1, max: LIMITS.reports_listed_max, absent: LIMITS.reports_listed_default };
const OFFSET = { min: 0, max: Number.MAX_SAFE_INTEGER, absent: 0 };

/** The route that lists hidden and reported items, for moderators. */
export function reportRoutes(host: Host, network: string) {
  return new Elysia({ prefix: `/v2/${network}` }).get(
    '/reports',
    ({ request }) => {
      const service = host.ready();
      host.authenticate(request, { scope: 'ingest:write' });
      const limit = integerInQuery(request, 'limit', LIMIT);
      const offset = integerInQuery(request, 'offset', OFFSET);
      return reportedItems(service, offset, limit, request.signal);
    },
    documented({
      tag: 'Stored records',
      id: 'listReports',
      summary: 'Items that users hid and reported',
      description:
        'For moderators: lists items by the total of hides and reports, highest first; with equal totals, those that became known first. Hides and reports that were taken back do not count. To hide an item from all feeds, send it with `hidden: true`; it stays in this list, marked. A page of this list is shorter when its items are large; continue at `next_offset`.',
      key: 'ingest:write',
      parameters: [
        {
          name: 'limit',
          in: 'query',
          description: `Number of items. Default ${LIMIT.absent}.`,
          schema: Type.Integer({ minimum: LIMIT.min, maximum: LIMIT.max }),
          example: LIMIT.absent,
        },
        {
          name: 'offset',
          in: 'query',
          description: 'Number of items to skip. Default 0.',
          schema: Type.Integer({ minimum: 0 }),
          example: 0,
        },
      ],
      answers: { 200: { description: 'The items.', content: { schema: ReportsSchema } } },
      errors: ['invalid_value', 'store_unavailable'],
    }),
  );
}
