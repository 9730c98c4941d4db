import { ERRORS, type ErrorCode, type Fault, ServiceError } from '../../errors.ts';

/** Problem details of RFC 9457, with the stable `code`. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  errors?: Fault[];
  /** On errors of feeds and saved feeds: copies of `status` and `detail` for published clients. */
  status_code?: number;
  body?: string;
}

/** An error whose problem has further fields. */
export class DetailedError extends ServiceError {
  constructor(
    code: ErrorCode,
    detail: string,
    readonly fields: object,
  ) {
    super(code, detail);
  }
}

/** The fixed text of every 500. The cause is only in the log. */
const INTERNAL = new ServiceError(
  'internal',
  'Something went wrong here; the log has the cause under this request id.',
);

/** Converts an error to one that callers may see: a ServiceError as it is, any other as a 500 with a fixed text. */
export function asServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : INTERNAL;
}

/** @param path path of the request; decides whether `status_code` and `body` are added */
export function problemOf(error: ServiceError, path: string): Problem {
  // The detail may quote input. Half a surrogate pair in it would be invalid JSON for strict readers.
  const detail = error.detail.toWellFormed();
  const problem: Problem = {
    type: `urn:feedloom:error:${error.code}`,
    title: ERRORS[error.code].title,
    status: error.status,
    detail,
    code: error.code,
  };
  if (error.errors !== undefined) problem.errors = error.errors.map(wellFormedFault);
  if (isOfFeeds(path)) {
    problem.status_code = error.status;
    problem.body = detail;
  }
  return error instanceof DetailedError ? { ...problem, ...error.fields } : problem;
}

/** `/v2/community/feeds/…`, `/v2/community/casts/feed/…` and `/api/feed/…`. */
function isOfFeeds(path: string): boolean {
  return /^\/v2\/[^/]+\/(feeds|casts\/feed)\//.test(path) || path.startsWith('/api/feed/');
}

function wellFormedFault({ path, message }: Fault): Fault {
  return { path: path.toWellFormed(), message: message.toWellFormed() };
}
