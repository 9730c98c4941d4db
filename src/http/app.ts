import { Elysia } from 'elysia';
import type { Logger } from 'pino';
import { ServiceError } from '../errors.ts';
import type { Service } from '../service.ts';
import type { KeyRing } from './auth.ts';
import { feedRoutes } from './feed-routes.ts';
import { ingestRoutes } from './ingest-routes.ts';
import { operationsRoutes } from './operations-routes.ts';
import { asServiceError, problemOf } from './problem.ts';

/** What the routes need: the service once it is loaded. */
export class Host {
  private running: { service: Service; keys: KeyRing } | undefined;
  private closing = false;

  constructor(readonly log: Logger) {}

  open(service: Service, keys: KeyRing): void {
    this.running = { service, keys };
  }

  /** From now on requests are refused. */
  close(): void {
    this.closing = true;
  }

  /** @throws ServiceError `loading`, `shutting_down` */
  ready(): Service {
    return this.serving().service;
  }

  keys(): KeyRing {
    return this.serving().keys;
  }

  private serving(): { service: Service; keys: KeyRing } {
    if (this.closing) throw new ServiceError('shutting_down', 'the service is shutting down', undefined, 5);
    if (this.running !== undefined) return this.running;
    throw new ServiceError('loading', 'the service is loading its state', undefined, 1);
  }
}

/** Bun refuses a larger body itself, with an empty answer; ours (`body.ts`) names the limit. */
const BODY_BYTES_ACCEPTED = Number.MAX_SAFE_INTEGER;

/** The HTTP application: with `http/` the only room that knows Elysia. */
export function createApp(host: Host, network: string) {
  const app = new Elysia({ serve: { maxRequestBodySize: BODY_BYTES_ACCEPTED } })
    .onRequest(({ set }) => {
      set.headers['x-request-id'] = crypto.randomUUID();
    })
    .onError(({ error, code, request, set }) => {
      const { pathname } = new URL(request.url);
      const failure =
        code === 'NOT_FOUND' ? noRoute(app.routes, request.method, pathname, set) : asServiceError(error);
      if (failure.status === 500 || failure.cause !== undefined)
        logFailure(host.log, failure, error, String(set.headers['x-request-id']));
      set.status = failure.status;
      set.headers['content-type'] = 'application/problem+json';
      if (failure.retry_after_seconds !== undefined)
        set.headers['retry-after'] = String(failure.retry_after_seconds);
      return problemOf(failure, pathname);
    })
    .use(feedRoutes(host, network))
    .use(ingestRoutes(host, network))
    .use(operationsRoutes(host));
  return app;
}

/** A known path with another method is a 405 that names the methods; anything else a 404. */
function noRoute(
  routes: readonly { method: string; path: string }[],
  method: string,
  path: string,
  set: { headers: Record<string, string | number> },
): ServiceError {
  const allowed = routes.filter((route) => matches(route.path, path)).map((route) => route.method);
  if (allowed.length === 0) return new ServiceError('not_found', `there is nothing at ${path}`);
  set.headers.allow = allowed.join(', ');
  return new ServiceError(
    'method_not_allowed',
    `${method} is not allowed at ${path}; use ${allowed.join(' or ')}`,
  );
}

/** Whether a path, with or without a slash at its end, fits a route's pattern, whose segments may be `:name`. */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.replace(/\/$/, '').split('/');
  return (
    wanted.length === given.length &&
    wanted.every((segment, at) => segment.startsWith(':') || segment === given[at])
  );
}

/** The cause goes into the log and nowhere else. */
function logFailure(log: Logger, failure: ServiceError, error: unknown, request_id: string): void {
  const cause = failure === error ? failure.cause : error;
  const chain: string[] = [];
  for (let at: unknown = cause; at instanceof Error; at = at.cause) chain.push(at.message);
  const stack = cause instanceof Error ? cause.stack : undefined;
  log.error(
    { request_id, code: failure.code, cause: chain.length > 0 ? chain : String(cause), stack },
    failure.detail,
  );
}
