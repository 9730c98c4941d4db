import { AsyncLocalStorage } from 'node:async_hooks';
import type { Random } from '../clock.ts';
import type { Exporter, SpanFigures } from './exporter.ts';
import { RequestTrace, type TraceTime } from './request-trace.ts';
import { readTraceparent } from './trace-context.ts';

/** Decides which requests are traced, and finds the trace of the request that code runs for. */
export class Tracer {
  private readonly current = new AsyncLocalStorage<RequestTrace>();

  /** @param share of the requests without a `traceparent` that are traced, from 0 to 1 */
  constructor(
    private readonly exporter: Exporter,
    private readonly time: TraceTime,
    private readonly share: number,
    private readonly random: Random,
  ) {}

  /** A trace for a request. Undefined if it is not sampled; a caller with a `traceparent` decides that itself. */
  begin(traceparent: string | null): RequestTrace | undefined {
    const parent = traceparent === null ? undefined : readTraceparent(traceparent);
    const is_sampled = parent?.is_sampled ?? this.random() < this.share;
    return is_sampled ? new RequestTrace(this.exporter, this.time, parent) : undefined;
  }

  run<T>(trace: RequestTrace, work: () => T): T {
    return this.current.run(trace, work);
  }

  /** The trace of the request that this code runs for. Undefined if it is not sampled. */
  readonly ofRequest = (): RequestTrace | undefined => this.current.getStore();

  /** Begins a commit of that request. @returns the function that ends it; undefined if the request is not sampled */
  readonly commitOfRequest = (engine: string, changes: number): ((error?: unknown) => void) | undefined =>
    this.ofRequest()?.commit(engine, changes);

  get figures(): SpanFigures {
    return this.exporter.figures;
  }

  close(): Promise<void> {
    return this.exporter.close();
  }
}
