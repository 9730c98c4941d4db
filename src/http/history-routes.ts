import { Elysia } from 'elysia';
import { refuse } from '../ingest/records/refusal.ts';
import { ADMISSIONS } from './bodies.ts';
import { unchecked } from './checked.ts';
import type { Host } from './host.ts';
import { everySeconds, WINDOWS, type Window } from './metrics/history.ts';
import { described } from './openapi/operation.ts';
import { HistorySchema, WindowSchema } from './schemas/metrics-history.ts';
import { parameter, queryOf, strictParameters } from './url-parameters.ts';

const NAMES = Object.keys(WINDOWS) as Window[];

const WINDOW = parameter<Window>(
  { ...WindowSchema, description: '`1h` (default) or `24h`.', default: '1h', example: '1h' },
  (value) => NAMES.find((name) => name === value) ?? refuse(`expected ${NAMES.join(' or ')}`),
);

/** `GET /api/metrics/history`. */
export function historyRoutes(host: Host) {
  return new Elysia({ prefix: '/api' })
    .onTransform(({ request }) => host.admit(request, ADMISSIONS.configs))
    .onTransform(strictParameters)
    .get(
      '/metrics/history',
      ({ query: { window } }) => ({
        window,
        every_seconds: everySeconds(window),
        points: host.metrics.history.points(window),
      }),
      {
        query: queryOf({ window: WINDOW }),
        response: { 200: unchecked(HistorySchema) },
        detail: described({
          tag: 'Operations',
          id: 'metricsHistory',
          summary: 'The recent past of some metrics',
          description:
            'Pages, latency, errors, records and memory of the last hour, a point a minute, or of the last day, a point every five minutes. They are kept in memory, and begin with the start of the process. For more, scrape `GET /metrics`.',
          admission: ADMISSIONS.configs,
          errors: ['invalid_value'],
        }),
      },
    );
}
