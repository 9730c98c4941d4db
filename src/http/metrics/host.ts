import pkg from '../../../package.json';
import type { SpanFigures } from '../../tracing/exporter.ts';
import type { UnsentAnswers } from '../transport/unsent-answers.ts';
import type { EventLoopWatch } from './event-loop-watch.ts';
import type { MetricTable } from './table.ts';

/** The process: its version, memory and event loop. */
export const PROCESS: MetricTable<EventLoopWatch> = {
  feedloom_build_info: ['The running version.', () => [[pkg.version, 1]], 'version'],
  process_resident_memory_bytes: ['Memory of the process.', () => process.memoryUsage.rss()],
  feedloom_memory_bytes: [
    'Memory inside the process, by kind.',
    () => {
      const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
      const kinds = { heap_used: heapUsed, heap_total: heapTotal, external, array_buffers: arrayBuffers };
      return Object.entries(kinds);
    },
    'kind',
  ],
  feedloom_event_loop_lag_seconds: [
    'Lag of the event loop since the last reading.',
    (event_loop) => event_loop.read(),
    'statistic',
  ],
};

export const REQUESTS: MetricTable<{ readonly count: number; readonly body_bytes: number }> = {
  feedloom_requests_under_way: ['Requests that are not answered yet.', ({ count }) => count],
  feedloom_request_body_bytes: [
    'Bytes received of the bodies of requests under way.',
    ({ body_bytes }) => body_bytes,
  ],
};

/** Answers that clients have not read yet. */
export const UNSENT: MetricTable<Pick<UnsentAnswers, 'bytes' | 'count' | 'cut'>> = {
  feedloom_unsent_answers: ['Answers that clients have not read completely.', ({ count }) => count],
  feedloom_unsent_answer_bytes: ['Unread bytes of these answers.', ({ bytes }) => bytes],
  feedloom_answers_cut_total: [
    'Answers that were cut off, with their connections closed: read too slowly, or too many at a time.',
    ({ cut }) => Object.entries(cut),
    'reason',
  ],
};

export const READINESS: MetricTable<{ readonly unready: unknown }> = {
  feedloom_ready: [
    'Whether feeds are served, as in /readyz.',
    ({ unready }) => Number(unready === undefined),
  ],
};

export const LOG: MetricTable<{ readonly lines_lost: number }> = {
  feedloom_log_lines_lost_total: ['Log lines that could not be written.', ({ lines_lost }) => lines_lost],
};

export const SPANS: MetricTable<SpanFigures> = {
  feedloom_spans_exported_total: [
    'Spans of traced requests that the collector has taken.',
    ({ exported }) => exported,
  ],
  feedloom_spans_dropped_total: [
    'Spans of traced requests that were not sent, could not be sent, or were rejected by the collector.',
    ({ dropped }) => Object.entries(dropped),
    'reason',
  ],
};

/** Connections closed for lack of file descriptors. */
export const CONNECTIONS: MetricTable<{ readonly closed: number }> = {
  feedloom_idle_connections_closed_total: [
    'Connections closed because file descriptors ran short, those idle for longest first.',
    ({ closed }) => closed,
  ],
};
