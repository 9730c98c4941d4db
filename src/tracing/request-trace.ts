import type { Stage } from '../page/record.ts';
import type { FeedType } from '../plugin/index.ts';
import type { Exporter } from './exporter.ts';
import type { Span } from './span.ts';
import { newSpanId, newTraceId, type TraceContext, writeTraceparent } from './trace-context.ts';

/** The maximum number of spans of a request. More are dropped. */
const SPANS_MAX = 128;

export interface TraceTime {
  /** Seconds since the Unix epoch. */
  now(): number;
  monotonicMs(): number;
}

/** A span that has begun. Its times are on the monotonic clock. */
interface Begun {
  span_id: string;
  start_ms: number;
}

interface Ended extends Begun {
  parent_id: string | undefined;
  name: string;
  end_ms: number;
  attributes: Span['attributes'];
  kind?: Span['kind'];
  has_failed?: boolean;
}

/** The spans of one sampled request: the request, its page with the page's stages, and its commits. */
export class RequestTrace {
  readonly trace_id: string;
  private readonly request: Begun;
  /** What is added to monotonic times. */
  private readonly epoch_ms: number;
  private page: Begun | undefined;
  private stage: (Begun & { name: Stage }) | undefined;
  private spans = 0;

  /** @param parent the caller's span */
  constructor(
    private readonly exporter: Pick<Exporter, 'add' | 'drop'>,
    private readonly time: TraceTime,
    private readonly parent: TraceContext | undefined,
  ) {
    this.trace_id = parent?.trace_id ?? newTraceId();
    const start_ms = time.monotonicMs();
    this.request = { span_id: newSpanId(), start_ms };
    this.epoch_ms = time.now() * 1000 - start_ms;
  }

  get traceparent(): string {
    return writeTraceparent({ trace_id: this.trace_id, span_id: this.request.span_id });
  }

  /** A stage of the page begins, and the one before it ends. The first stage begins the page. */
  enter(stage: Stage, now_ms: number): void {
    this.page ??= { span_id: newSpanId(), start_ms: now_ms };
    this.endStage(now_ms);
    this.stage = { span_id: newSpanId(), start_ms: now_ms, name: stage };
  }

  /** The page is complete. @param items the number of items on it */
  finish(feed_type: FeedType, items: number, now_ms: number): void {
    this.endPage(now_ms, { 'feedloom.feed_type': feed_type, 'feedloom.items': items }, false);
  }

  /** A commit begins. @returns the function that ends it */
  commit(engine: string, changes: number): (error?: unknown) => void {
    const begun = { span_id: newSpanId(), start_ms: this.time.monotonicMs() };
    const attributes = {
      'db.system.name': engine === 'postgres' ? 'postgresql' : engine,
      'feedloom.changes': changes,
    };
    return (error) => {
      const end_ms = this.time.monotonicMs();
      const has_failed = error !== undefined;
      const parent_id = this.request.span_id;
      this.send({ ...begun, parent_id, name: 'store commit', end_ms, attributes, has_failed });
    };
  }

  /** Ends the request. @param route its pattern, never its path */
  end(method: string, route: string, status: number): void {
    const end_ms = this.time.monotonicMs();
    // An error has interrupted the page.
    this.endPage(end_ms, {}, true);
    const has_failed = status >= 500;
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      ...(has_failed ? { 'error.type': String(status) } : {}),
    };
    const name = `${method} ${route}`;
    // The span of the request is kept however many others there were.
    this.spans = 0;
    const parent_id = this.parent?.span_id;
    this.send({ ...this.request, parent_id, name, end_ms, attributes, kind: 'server', has_failed });
  }

  private endPage(end_ms: number, attributes: Span['attributes'], has_failed: boolean): void {
    const { page } = this;
    if (page === undefined) return;
    this.endStage(end_ms);
    this.page = undefined;
    this.send({ ...page, parent_id: this.request.span_id, name: 'page', end_ms, attributes, has_failed });
  }

  private endStage(end_ms: number): void {
    const { stage, page } = this;
    if (stage === undefined) return;
    this.stage = undefined;
    this.send({ ...stage, parent_id: page?.span_id, name: `page ${stage.name}`, end_ms, attributes: {} });
  }

  private send({ start_ms, end_ms, kind = 'internal', has_failed = false, ...span }: Ended): void {
    if (this.spans >= SPANS_MAX) {
      this.exporter.drop(1);
      return;
    }
    this.spans++;
    const { trace_id, epoch_ms } = this;
    this.exporter.add({
      span_id: span.span_id,
      parent_id: span.parent_id,
      name: span.name,
      attributes: span.attributes,
      trace_id,
      kind,
      has_failed,
      start_ms: epoch_ms + start_ms,
      end_ms: epoch_ms + end_ms,
    });
  }
}
