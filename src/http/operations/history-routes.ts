import { type TSchema, Type } from '@sinclair/typebox';
import { Amount, Count, Integer, ListOf, ObjectOf, OneOf, strict } from '../../answer/schema-parts.ts';
import { ERRORS } from '../../errors.ts';
import { FEED_TYPES } from '../../plugin/index.ts';
import { CONFIGS } from '../identity/admissions.ts';
import { everySeconds, WINDOWS, type Window } from '../metrics/history.ts';
import { namedObject } from '../openapi/schema.ts';
import { json } from '../transport/answers.ts';
import { wordParameter } from '../transport/parameters.ts';
import { route } from '../transport/route.ts';

const OrNull = (schema: TSchema) => Type.Union([schema, Type.Null()], { description: schema.description });

function counts(names: readonly string[], what: string, isOptional: boolean): TSchema {
  const fields = names.map((name) => {
    const count = Count(`${what}: \`${name}\`.`);
    return [name, isOptional ? Type.Optional(count) : count];
  });
  return strict(Object.fromEntries(fields), `${what}.`);
}

const HistoryPointSchema = namedObject('MetricsPoint', 'Figures of one interval.', {
  at: Integer('End of the interval, seconds since the epoch.'),
  pages: counts(FEED_TYPES, 'Pages built by feed type', false),
  short_pages: Count('Pages with fewer items than asked for.'),
  fallback_pages: Count('Pages with items of a fallback feed.'),
  cold_start_pages: Count('Pages of a cold start feed.'),
  p50_ms: OrNull(
    Amount('Half of the feed requests were answered within this time, exact to 1 %. null: none.'),
  ),
  p99_ms: OrNull(
    Amount('99 % of the feed requests were answered within this time, exact to 1 %. null: none.'),
  ),
  errors: counts(Object.keys(ERRORS), 'Requests answered with an error, by code', true),
  records_per_second: Amount('Records sent, accepted or not.'),
  ingest_ms: OrNull(
    Amount('Mean time from the arrival of a request with records until its answer. null: none.'),
  ),
  queued_records: Count('Records that wait for the store at the end of the interval.'),
  memory_bytes: Count('Memory of the process at the end of the interval.'),
  plugin_ms: Amount('Time spent in scoring functions and candidate sources.'),
});

const HistorySchema = ObjectOf('The recent past.', {
  window: OneOf(['1h', '24h'], 'The window.'),
  every_seconds: Integer('Seconds between two points.'),
  points: ListOf(
    'The points since the start at most, oldest first.',
    HistoryPointSchema,
    WINDOWS['24h'].points_max,
  ),
});

const NAMES = Object.keys(WINDOWS) as Window[];

const WINDOW = wordParameter(NAMES, '`1h` (default) or `24h`.', { default: '1h', example: '1h' });

/** `GET /api/metrics/history`. */
export const historyRoutes = [
  route('GET', '/api/metrics/history', {
    admit: CONFIGS,
    answered_by: 'any',
    query: { window: WINDOW },
    answer: json(HistorySchema),
    docs: {
      tag: 'Operations',
      id: 'metricsHistory',
      summary: 'The recent past of some metrics',
      description:
        'Pages, latency, errors, records and memory of the last hour, a point a minute, or of the last day, a point every five minutes. They are kept in memory, and begin with the start of the process. For more, scrape `GET /metrics`.',
    },
    handle: ({ host: { metrics }, query: { window } }) => ({
      window,
      every_seconds: everySeconds(window),
      points: metrics.history.points(window),
    }),
  }),
];
