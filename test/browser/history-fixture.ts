import type { AnswerOf } from '../../openapi/client/src/index.ts';

type History = AnswerOf<'GET', '/api/metrics/history'>;

/** An hour of minutes. Both kinds of errors rise in the middle. @param end seconds since the epoch */
export function hourOfMetrics(end: number): History {
  const points = Array.from({ length: 60 }, (_, minute): History['points'][number] => ({
    at: end - (59 - minute) * 60,
    pages: { 'for-you': 100 + minute, trending: 20, popular: 10 },
    short_pages: 3,
    fallback_pages: 1,
    cold_start_pages: minute % 5,
    p50_ms: 4 + (minute % 3),
    p99_ms: minute === 30 ? 61.5 : 12,
    errors: minute === 30 ? { rate_limited: 7, invalid_value: 2 } : {},
    records_per_second: 250,
    ingest_ms: minute < 5 ? null : 18.5,
    queued_records: 0,
    memory_bytes: (300 + minute) * 1024 * 1024,
    plugin_ms: 260,
  }));
  return { window: '1h', every_seconds: 60, points };
}
