import { ERRORS, type ErrorCode, type Fault, ServiceError } from '../errors.ts';

/** RFC 9457 problem details, with the stable `code`. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  errors?: Fault[];
  /** On feed and configuration errors: `status` and `detail` again, as published clients print them. */
  status_code?: number;
  body?: string;
}

/** The fixed text of every 500: its cause is in the log only. */
const INTERNAL = new ServiceError(
  'internal',
  'Something went wrong here; the log has the cause under this request id.',
);

/** The error that a caller may see: a ServiceError as it is, anything else as a 500 with a fixed text. */
export function asServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : INTERNAL;
}

/** @param path of the request, which decides whether `status_code` and `body` are added */
export function problemOf(error: ServiceError, path: string): Problem {
  // It may quote what was sent, where half a surrogate pair would make it no JSON for strict readers.
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
  return problem;
}

/** `/v2/<network>/feeds/…`, `/v2/<network>/casts/feed/…` and `/api/feed/…`. */
function isOfFeeds(path: string): boolean {
  return /^\/v2\/[^/]+\/(feeds|casts\/feed)\//.test(path) || path.startsWith('/api/feed/');
}

function wellFormedFault({ path, message }: Fault): Fault {
  return { path: path.toWellFormed(), message: message.toWellFormed() };
}
