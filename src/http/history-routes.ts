import { Elysia } from 'elysia';
import type { Host } from './host.ts';
import { everySeconds, WINDOWS, type Window } from './metrics-history.ts';
import { documented } from './openapi/operation.ts';
import { optionalInQuery, wrongParameter } from './request-url.ts';
import { HistorySchema, WindowSchema } from './schemas/metrics-history.ts';

const DOCS = documented({
  tag: 'Operations',
  id: 'metricsHistory',
  summary: 'The recent past of some metrics',
  description:
    'Pages, latency, errors, records and memory of the last hour, a point a minute, or of the last day, a point every five minutes. They are kept in memory, and begin with the start of the process. For more, scrape `GET /metrics`.',
  key: 'config:write',
  parameters: [
    {
      name: 'window',
      in: 'query',
      description: '`1h` (default) or `24h`.',
      schema: WindowSchema,
      example: '1h',
    },
  ],
  answers: { 200: { description: 'The points.', content: { schema: HistorySchema } } },
  errors: ['invalid_value'],
});

/** `GET /api/metrics/history`. */
export function historyRoutes(host: Host) {
  return new Elysia({ prefix: '/api' }).get(
    '/metrics/history',
    ({ request }) => {
      host.authenticate(request, { scope: 'config:write' });
      const window = windowOf(optionalInQuery(request, 'window') ?? '1h');
      return {
        window,
        every_seconds: everySeconds(window),
        points: host.metrics.history.points(window),
      };
    },
    DOCS,
  );
}

/** @throws ServiceError `invalid_value` */
function windowOf(text: string): Window {
  const known = (Object.keys(WINDOWS) as Window[]).find((window) => window === text);
  if (known !== undefined) return known;
  throw wrongParameter('window', `expected ${Object.keys(WINDOWS).join(' or ')}`);
}
