import type { Logger } from 'pino';
import type { Timers } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import { fetchBounded, parseJson } from '../plugin/index.ts';
import { exportRequest, type Resource } from './otlp.ts';
import type { Span } from './span.ts';

export interface ExporterOptions {
  /** Base address of the collector; `/v1/traces` is added. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  resource: Resource;
  timers: Timers;
  monotonicMs(): number;
  log: Logger;
}

/** The defaults of the batch processor of OpenTelemetry's SDKs. */
const QUEUE_MAX = 2_048;
const BATCH_MAX = 512;
const DELAY_SECONDS = 5;
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;
/** The maximum wait for the last export, at the end of the process. */
const LAST_TIMEOUT_MS = 2_000;
/** Minimum time between two log lines about failures. */
const LOG_EVERY_MS = 60_000;

export interface SpanFigures {
  exported: number;
  dropped: Record<'queue_full' | 'failed' | 'rejected', number>;
}

/**
 * Sends spans to a collector in batches, one export at a time, while the service goes on.
 *
 * The queue is bounded: a span that finds no room is dropped and counted, and so are the spans of a failed export.
 */
export class Exporter {
  readonly figures: SpanFigures = { exported: 0, dropped: { queue_full: 0, failed: 0, rejected: 0 } };
  private queue: Span[] = [];
  private cancel: (() => void) | undefined;
  private exporting: Promise<void> | undefined;
  private logged_ms = Number.NEGATIVE_INFINITY;
  private failures_unlogged = 0;
  private readonly url: string;

  constructor(private readonly options: ExporterOptions) {
    this.url = `${options.endpoint.replace(/\/$/, '')}/v1/traces`;
  }

  add(span: Span): void {
    if (this.queue.length >= QUEUE_MAX) {
      this.figures.dropped.queue_full++;
      return;
    }
    this.queue.push(span);
    if (this.exporting !== undefined) return;
    if (this.queue.length >= BATCH_MAX) this.exportNow();
    else this.cancel ??= this.options.timers.after(DELAY_SECONDS, () => this.exportNow());
  }

  /** Counts spans that were not even queued. */
  drop(spans: number): void {
    this.figures.dropped.queue_full += spans;
  }

  async close(): Promise<void> {
    const deadline = AbortSignal.timeout(LAST_TIMEOUT_MS);
    await Promise.race([this.exporting, aborted(deadline)]);
    this.cancel?.();
    while (this.queue.length > 0) await this.send(this.queue.splice(0, BATCH_MAX), deadline);
  }

  private exportNow(): void {
    this.cancel?.();
    this.cancel = undefined;
    const batch = this.queue.splice(0, BATCH_MAX);
    this.exporting = this.send(batch).finally(() => {
      this.exporting = undefined;
      if (this.queue.length > 0)
        this.cancel ??= this.options.timers.after(DELAY_SECONDS, () => this.exportNow());
    });
  }

  private async send(spans: readonly Span[], signal?: AbortSignal): Promise<void> {
    const { headers, resource } = this.options;
    try {
      const answer = await fetchBounded(this.url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(exportRequest(spans, resource)),
        signal,
        timeout_ms: TIMEOUT_MS,
        bytes_max: ANSWER_BYTES_MAX,
      });
      if (!answer.ok) throw new Error(`the collector answers ${answer.status}`);
      const rejected = Math.min(spans.length, rejectedSpans(answer.text()));
      this.figures.exported += spans.length - rejected;
      this.figures.dropped.rejected += rejected;
    } catch (error) {
      this.figures.dropped.failed += spans.length;
      this.logFailure(error);
    }
  }

  private logFailure(error: unknown): void {
    const now_ms = this.options.monotonicMs();
    if (now_ms - this.logged_ms < LOG_EVERY_MS) {
      this.failures_unlogged++;
      return;
    }
    this.logged_ms = now_ms;
    const unlogged = this.failures_unlogged || undefined;
    this.failures_unlogged = 0;
    this.options.log.warn(
      { cause: reasonOf(error), unlogged },
      'traces could not be exported; spans were dropped',
    );
  }
}

/** Spans that the collector did not take: `partialSuccess.rejectedSpans` of its answer. */
function rejectedSpans(text: string): number {
  try {
    const { partialSuccess } = parseJson(text) as { partialSuccess?: { rejectedSpans?: unknown } };
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
    return Number.isFinite(rejected) ? Math.max(0, rejected) : 0;
  } catch {
    return 0;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
