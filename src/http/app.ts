import { Elysia } from 'elysia';
import { ServiceError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { BlueskyCallers } from './bluesky/bluesky-callers.ts';
import { blueskyRoutes } from './bluesky/bluesky-routes.ts';
import { configListRoutes } from './configs/config-list-routes.ts';
import { configRoutes } from './configs/config-routes.ts';
import { previewRoutes } from './configs/preview-routes.ts';
import { revisionRoutes } from './configs/revision-routes.ts';
import { consoleRoutes } from './console/console-routes.ts';
import { sessionRoutes } from './console/session-routes.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { swaggerRoutes } from './docs/swagger-routes.ts';
import { experimentRoutes } from './experiments/experiment-routes.ts';
import { feedRoutes } from './feeds/feed-routes.ts';
import { impressionRoutes } from './feeds/impression-routes.ts';
import { tokenRoutes } from './identity/token-routes.ts';
import { ingestRoutes } from './ingest/ingest-routes.ts';
import { webhookRoutes } from './ingest/webhook-routes.ts';
import { itemCountsRoutes } from './items/item-counts-routes.ts';
import { itemInteractionsRoutes } from './items/item-interactions-routes.ts';
import { reportRoutes } from './items/report-routes.ts';
import { similarItemsRoutes } from './items/similar-items-routes.ts';
import { valueRoutes } from './items/value-routes.ts';
import { learningRoutes } from './learning/learning-routes.ts';
import { restoreHost } from './nodes/forwarded-host.ts';
import { FORWARDED, Forwarded } from './nodes/forwarding.ts';
import { internalRoutes } from './nodes/internal-routes.ts';
import { openApiDocument } from './openapi/document.ts';
import { auditRoutes } from './operations/audit-routes.ts';
import { communityHealthRoutes } from './operations/community-health-routes.ts';
import { demoRoutes } from './operations/demo-routes.ts';
import { historyRoutes } from './operations/history-routes.ts';
import { metricsRoutes, operationsRoutes } from './operations/operations-routes.ts';
import { pluginCostRoutes } from './operations/plugin-cost-routes.ts';
import { totalsRoutes } from './operations/totals-routes.ts';
import { batchRoutes } from './records/batch-routes.ts';
import { recordRoutes } from './records/record-routes.ts';
import { searchRoutes } from './records/search-routes.ts';
import { LateBody } from './transport/body-timeouts.ts';
import { Cors } from './transport/cors.ts';
import type { Host } from './transport/host.ts';
import { asServiceError, problemOf } from './transport/problem.ts';
import { ALWAYS_ANSWERED } from './transport/request-log.ts';
import {
  CONTENT_PATH,
  type PathSettings,
  readUrl,
  rememberingRoutes,
  requireSentUrl,
  sentPathOf,
  urlOf,
} from './transport/request-url.ts';
import type { Route } from './transport/route.ts';
import { served } from './transport/served.ts';
import { Streamed } from './transport/streamed-answers.ts';
import { traceparentOf } from './transport/traceparent.ts';
import { answerWith } from './transport/written-answer.ts';
import { isXrpc, xrpcProblemOf } from './transport/xrpc.ts';
import { followListRoutes } from './users/follow-list-routes.ts';
import { listRoutes } from './users/list-routes.ts';
import { peopleRoutes } from './users/people-routes.ts';
import { personRoutes } from './users/person-routes.ts';
import { preferencesRoutes } from './users/preferences-routes.ts';
import { viewerInsightRoutes } from './users/viewer-insight-routes.ts';
import { alphaRemovalRoutes } from './wallets/alpha-removal-routes.ts';
import { alphaRoutes } from './wallets/alpha-routes.ts';

const SERVE = {
  // Bun rejects a larger body itself, with an empty answer. `read-body.ts` rejects it earlier and names the limit.
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  // Elysia lets several processes share a port: a second service would get half of the requests of the first.
  reusePort: false,
  // In development mode the runtime shows source code to callers when it fails.
  development: false,
} as const;

/** Headers of every answer: browsers do not guess the media type and do not send the page's address as referrer. */
const SAFE_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } as const;

const NO_CONTENT = 204;

/** Root of the service, relative to its OpenAPI document. It stays correct behind any path prefix of a proxy. */
const ABOVE_DOCUMENT = '..';

const PROBLEM_TYPE = 'application/problem+json';
const JSON_TYPE = 'application/json';

/** Challenge of every 401. Basic works too, but a Basic challenge makes browsers open a login window over Swagger UI. */
const CHALLENGE = 'Bearer realm="feedloom"';

type AppSettings = Pick<
  Settings,
  | 'network'
  | 'chain'
  | 'metrics_port'
  | 'idle_timeout_s'
  | 'base_path'
  | 'cors_origins'
  | 'bluesky_did'
  | 'bluesky_publisher_did'
  | 'plc_url'
  | 'cluster_secret'
>;

/** All routes but those of the document itself, in its order. */
export function routesOf(host: Host, settings: AppSettings): Route[] {
  const { chain, metrics_port } = settings;
  return [
    ...feedRoutes,
    ...impressionRoutes,
    ...configRoutes,
    ...configListRoutes,
    ...revisionRoutes,
    ...previewRoutes,
    ...experimentRoutes,
    ...learningRoutes,
    ...tokenRoutes,
    ...sessionRoutes(settings),
    ...auditRoutes,
    ...ingestRoutes,
    ...followListRoutes,
    ...listRoutes,
    ...webhookRoutes,
    ...recordRoutes,
    ...searchRoutes,
    ...batchRoutes,
    ...itemCountsRoutes,
    ...itemInteractionsRoutes,
    ...similarItemsRoutes,
    ...viewerInsightRoutes,
    ...valueRoutes,
    ...peopleRoutes,
    ...preferencesRoutes,
    ...personRoutes,
    ...reportRoutes,
    ...alphaRoutes(chain),
    ...alphaRemovalRoutes(chain),
    ...blueskyRoutes(new BlueskyCallers(host, settings)),
    ...operationsRoutes,
    ...historyRoutes,
    ...pluginCostRoutes,
    ...totalsRoutes,
    ...communityHealthRoutes,
    ...demoRoutes(),
    ...internalRoutes,
    ...consoleRoutes(settings),
    ...docsRoutes(),
    ...(metrics_port === undefined ? metricsRoutes : []),
  ];
}

export function createApp(host: Host, settings: AppSettings) {
  const { idle_timeout_s, cors_origins, cluster_secret: secret } = settings;
  const app = bareApp(host, idle_timeout_s, new Cors(cors_origins), settings);
  // Only nodes pay for it.
  if (secret !== undefined)
    app.wrap((handle, request) => {
      restoreHost(request, secret);
      return handle;
    });
  const routes = routesOf(host, settings);
  app.use(served(host, routes));
  app.wrap(refreshingKeys(host));
  if (host.tracer !== undefined) app.wrap(tracedBy(host, host.tracer));
  const document = (): Promise<object> => openApiDocument(routes, host.ready().registry, ABOVE_DOCUMENT);
  return app.use(served(host, swaggerRoutes(document)));
}

/** Lets a request with an unknown key wait until the store was asked for new keys. */
function refreshingKeys(host: Host): Parameters<Elysia['wrap']>[0] {
  return (handle, request) => {
    const refreshed = host.refreshForKey(request);
    return refreshed === undefined ? handle : (...input: unknown[]) => refreshed.then(() => handle(...input));
  };
}

/** Calls of other nodes, many a second. What they forward for clients has the paths of the clients. */
const OF_NODES = '/internal/';

/** Runs sampled requests within their traces, except for probes and calls of other nodes. */
function tracedBy(host: Host, tracer: Tracer): Parameters<Elysia['wrap']>[0] {
  return (handle, request) => {
    const { pathname } = urlOf(request);
    if (ALWAYS_ANSWERED.has(pathname) || pathname.startsWith(OF_NODES)) return handle;
    const trace = tracer.begin(traceparentOf(host, request.headers));
    if (trace === undefined) return handle;
    return (...input: unknown[]) => tracer.run(trace, () => handle(...input));
  };
}

/** Creates an application that serves only `/metrics`, for a separate port. */
export function createMetricsApp(host: Host, { idle_timeout_s }: Pick<Settings, 'idle_timeout_s'>) {
  return bareApp(host, idle_timeout_s, new Cors()).use(served(host, metricsRoutes));
}

/** An application without routes: headers, errors and logging of all requests. */
function bareApp(host: Host, idle_timeout_s: number, cors: Cors, paths: PathSettings = {}) {
  const routes = rememberingRoutes((request) => app.fetch(request), paths.base_path);
  const app = new Elysia({
    serve: { ...SERVE, idleTimeout: idle_timeout_s, routes },
    // Elysia alone routes, by the URL of the request. By default it takes a host of up to three characters for a path.
    systemRouter: false,
    handler: { standardHostname: false },
    strictPath: true,
    normalize: false,
  });
  return app
    .wrap((handle, request) => {
      readUrl(request, paths);
      return handle;
    })
    .onRequest(({ request, set }) => {
      const request_id = crypto.randomUUID();
      Object.assign(set.headers, SAFE_HEADERS, cors.headersFor(request));
      set.headers['x-request-id'] = request_id;
      const trace = host.tracer?.ofRequest();
      if (trace !== undefined) set.headers.traceparent = trace.traceparent;
      host.requests.started(request, request_id, trace);
      requireSentUrl(request);
    })
    .onError(({ error, code, request, route, set }) => {
      const preflight = code === 'NOT_FOUND' ? cors.preflight(request) : undefined;
      if (preflight !== undefined) {
        Object.assign(set.headers, preflight);
        set.status = NO_CONTENT;
        return '';
      }
      const path = urlOf(request).pathname;
      const failure =
        code === 'NOT_FOUND' ? noRoute(app.routes, request, set, paths.network) : asServiceError(error);
      // The client has disconnected.
      if (host.requests.givenUp(request, route, failure, error)) return '';
      try {
        host.requests.failed(route, set.headers['x-request-id'], failure, error);
      } catch (cause) {
        // Even if logging fails, the request no longer counts as under way.
        host.requests.finished(request, route, failure.status);
        throw cause;
      }
      set.status = failure.status;
      set.headers['content-type'] = isXrpc(path) ? JSON_TYPE : PROBLEM_TYPE;
      if (failure.retry_after_seconds !== undefined)
        set.headers['retry-after'] = String(failure.retry_after_seconds);
      if (failure.code === 'unauthorized') set.headers['www-authenticate'] = CHALLENGE;
      if (needsClose(failure)) set.headers.connection = 'close';
      return isXrpc(path) ? xrpcProblemOf(failure) : problemOf(failure, path);
    })
    .mapResponse(({ request, route, set, responseValue }) => {
      const to = { request, account: host.requests.accountOf(request), server: app.server };
      const status = typeof set.status === 'number' ? set.status : 200;
      const label = responseValue instanceof Forwarded ? FORWARDED : route;
      const answer = answerWith(responseValue, set, (body, init) =>
        body instanceof Streamed
          ? host.streamed.respond(body, init, to)
          : host.unsent.respond(body, init, to),
      );
      host.garbage.answered(host.requests.finished(request, label, status));
      return answer;
    });
}

/** Whether to close the connection after this answer. Otherwise the rest of the body would have to be read first. */
function needsClose(failure: ServiceError): boolean {
  const { code } = failure;
  return code === 'shutting_down' || code === 'body_too_large' || failure instanceof LateBody;
}

/** The error for a path without route: 405 with the allowed methods if the path exists, otherwise 404. */
function noRoute(
  routes: readonly { method: string; path: string }[],
  request: Request,
  set: { headers: Record<string, string | number> },
  network: string | undefined,
): ServiceError {
  const { pathname } = urlOf(request);
  const sent_path = sentPathOf(request);
  const allowed = routes.filter(({ path }) => matches(path, pathname)).map(({ method }) => method);
  if (allowed.length === 0) {
    const is_other =
      network !== undefined && pathname.startsWith('/v2/') && !pathname.startsWith(`${CONTENT_PATH}/`);
    const hint = `; this service serves the network '${network}' and the neutral path 'community': /v2/${network}/… and ${CONTENT_PATH}/…`;
    return new ServiceError('not_found', `there is nothing at ${sent_path}${is_other ? hint : ''}`);
  }
  set.headers.allow = allowed.join(', ');
  return new ServiceError(
    'method_not_allowed',
    `${request.method} is not allowed at ${sent_path}; use ${allowed.join(' or ')}`,
  );
}

/** Whether a path matches a route's pattern, segment by segment. `:name` matches any segment that is not empty. */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((segment, at) => (segment.startsWith(':') ? given[at] !== '' : segment === given[at]))
  );
}
