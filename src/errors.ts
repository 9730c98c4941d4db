import { LIMITS } from './limits.ts';
import { textOf } from './plugin/text-of.ts';
import { withShownUrls } from './shown-url.ts';

/**
 * All errors that callers can see: code → HTTP status and title.
 *
 * A test checks that each code is documented and that no other code is thrown.
 */
export const ERRORS = {
  malformed_json: { status: 400, title: 'Malformed JSON' },
  invalid_value: { status: 400, title: 'Invalid value' },
  request_too_costly: { status: 400, title: 'Request too costly' },
  cursor_invalid: { status: 400, title: 'Invalid cursor' },
  page_invalid: { status: 400, title: 'Invalid page id' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  quota_exceeded: { status: 403, title: 'Quota exceeded' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  plugin_not_loaded: { status: 409, title: 'Plugin not loaded' },
  feed_outdated: { status: 409, title: 'Feed outdated' },
  not_empty: { status: 409, title: 'Not empty' },
  rkey_taken: { status: 409, title: 'Record key taken' },
  experiment_running: { status: 409, title: 'Experiment running' },
  revision_mismatch: { status: 412, title: 'Another revision' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  plugin_failed: { status: 500, title: 'Plugin failed' },
  overloaded: { status: 503, title: 'Overloaded' },
  loading: { status: 503, title: 'Loading' },
  write_queue_full: { status: 503, title: 'Write queue full' },
  store_unavailable: { status: 503, title: 'Store unavailable' },
  shutting_down: { status: 503, title: 'Shutting down' },
  state_full: { status: 507, title: 'State full' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** One fault in a value. `path` is a JSON pointer into the request (`/filters/channels/0`). */
export interface Fault {
  path: string;
  message: string;
}

/** A segment of a JSON pointer (RFC 6901). */
export function pointerSegment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * An error whose `detail` may be shown to the caller.
 *
 * The detail states what is wrong and what is allowed. It never contains a stack, a path of the machine, SQL or a
 * key. `errors` lists all faults of a validation.
 */
export class ServiceError extends Error {
  readonly status: number;
  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    readonly errors?: Fault[],
    /** Seconds until a retry makes sense, sent as `Retry-After`. */
    readonly retry_after_seconds?: number,
    options?: { cause?: unknown },
  ) {
    super(`${code}: ${detail}`, options);
    this.name = 'ServiceError';
    this.status = ERRORS[code].status;
  }
}

export function notFound(noun: string, id: string): ServiceError {
  return new ServiceError('not_found', `there is no ${noun} '${id}'`);
}

/** Whether a limit of the state is reached. */
export function isStateFull(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'state_full';
}

/** The message of a caught value, which need not be an Error. Without the secrets of URLs. */
export function reasonOf(thrown: unknown): string {
  return withShownUrls(thrown instanceof Error ? thrown.message : textOf(thrown));
}

/** The messages of a caught value and of its chain of causes. */
export function reasonsOf(thrown: unknown): string[] {
  return causesOf(thrown).map(reasonOf);
}

/** The message of the last cause. */
export function rootReasonOf(thrown: unknown): string {
  return reasonOf(causesOf(thrown).at(-1));
}

/** A caught value and its chain of causes, each once, since the chain may be circular. */
function causesOf(thrown: unknown): unknown[] {
  const causes = new Set([thrown]);
  let last = thrown;
  while (last instanceof Error && last.cause !== undefined && !causes.has(last.cause)) {
    last = last.cause;
    causes.add(last);
  }
  return [...causes];
}

/**
 * Makes the error for a value with faults.
 *
 * `detail` has the first fault and the number of others. Lists up to 100.
 */
export function invalidValue(faults: Fault[]): ServiceError {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const listed = faults.slice(0, LIMITS.faults_listed_max);
  return new ServiceError('invalid_value', `${first.path || 'body'}: ${first.message}${more}`, listed);
}

/**
 * The reason why a command cannot start or run: bad settings, a rejected plugin, a data folder in use.
 *
 * It is printed as one line on stderr, with exit code 2. `code` is stable, and `remedy` states what to do. The message
 * may name what the user gave: secrets of URLs are left out.
 */
export class StartupError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly remedy?: string,
  ) {
    super(withShownUrls(message));
    this.name = 'StartupError';
  }
}

const NO_ROOM = 'Free some space there, or choose another place.';
const NO_RIGHTS = 'Give this account the rights to it, or choose another place.';
/** Remedies for errors of the operating system, by error code. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: NO_ROOM,
  EDQUOT: NO_ROOM,
  EACCES: NO_RIGHTS,
  EPERM: NO_RIGHTS,
};

/**
 * Converts an error about a file or folder that the user named.
 * @param what the start of a sentence that ends in the reason: `the folder 'x' cannot be read`
 * @returns a StartupError for an error of the operating system; any other error unchanged
 */
export function fileRefusal(code: string, what: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  const remedy = REMEDIES[String(error.code)] ?? 'Fix the named cause, or choose another place.';
  return new StartupError(code, `${what}: ${error.message}`, remedy);
}

/** Runs work on a file or folder that the user named. @throws errors that `fileRefusal` converts */
export function refusing<T>(code: string, what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileRefusal(code, what, error);
  }
}
