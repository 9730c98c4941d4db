import type { IngestProblem, Problem } from './schema.ts';

/** Codes of the service, and `http_<status>` for errors of anything in between, such as a proxy. */
export type ErrorCode = Problem['code'] | `http_${number}`;

/** The service, or something in between, answered with an error. */
export class FeedloomError extends Error {
  override readonly name = 'FeedloomError';
  /** HTTP status. */
  readonly status: number;
  /** Stable between versions of the service. */
  readonly code: ErrorCode;
  /** What was wrong and, for a value, what is allowed. */
  readonly detail: string;
  /** Every fault of a validation with its JSON pointer; otherwise empty. */
  readonly errors: NonNullable<Problem['errors']>;
  /** Rejected records of an ingest call that accepted none; otherwise empty. */
  readonly rejected: NonNullable<IngestProblem['rejected']>;
  /** Finds the request in the log of the service. */
  readonly request_id?: string;
  /** Seconds after which the service can be asked again. */
  readonly retry_after_s?: number;

  constructor(status: number, problem: Partial<IngestProblem>, headers: Headers) {
    const code = problem.code ?? (`http_${status}` as const);
    const detail = problem.detail ?? `status ${status} without a problem document`;
    super(`${code}: ${detail}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = problem.errors ?? [];
    this.rejected = problem.rejected ?? [];
    this.request_id = headers.get('x-request-id') ?? undefined;
    const seconds = headers.get('retry-after') ?? '';
    // Proxies may send a date instead; then the usual back-off applies.
    if (/^\d{1,9}$/.test(seconds)) this.retry_after_s = Number(seconds);
  }
}

/** No answer arrived: there was no connection, it broke, or an attempt took too long. `cause` has the reason. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}
