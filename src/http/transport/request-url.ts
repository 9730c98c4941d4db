import { ServiceError } from '../../errors.ts';

/** Stands for the host of requests without one: HTTP/1.0 has no `Host`. */
const NO_HOST = 'http://host';
const ORIGIN = /^\w+:\/\/[^/?]*/;

const LOOPBACK = /^(localhost|127\..+|::1)$/;
/** Names that browsers never look up, and addresses. */
const NOT_LOOKED_UP = /(^|\.)localhost\.?$|^[\d.]+$|^\[/;

/** Prefix of the paths with content. The prefix with the network of the service means the same. */
export const CONTENT_PATH = '/v2/community';

/** Maximum number of segments of a path that is served, without a prefix. */
const SEGMENTS_MAX = 16;

type Server = Bun.Server<unknown>;

interface Arrived {
  server: Server;
  /**
   * The decoded segments of the path as it was sent, and an empty one at the end of a path that ends with a slash.
   * Undefined: more segments than any route has, or an empty one.
   */
  segments: readonly string[] | undefined;
}

/** Requests that came by a connection. */
const arrived = new WeakMap<Request, Arrived>();

interface Reading {
  url: URL;
  /** The path with the network as it was sent, without the prefix of the service. */
  sent_path: string;
  /** Why the request is refused. */
  fault?: ServiceError;
}

const readings = new WeakMap<Request, Reading>();

/** The settings that paths depend on. */
export interface PathSettings {
  base_path?: string;
  network?: string;
}

/** Handles a request that came by a connection of the server. */
type Handle = (request: Request, server: Server) => Response | Promise<Response>;

/**
 * Routes of the runtime that remember the path of a request as it was sent, and then hand the request on. Only the router
 * of the runtime sees that path: in the URL of a request, `.`, `..` and backslashes are resolved.
 */
export function rememberingRoutes(
  handle: (request: Request) => Response | Promise<Response>,
  base_path = '',
): Record<string, Handle> {
  const routes: Record<string, Handle> = {};
  const add = (path: string, segmentsOf: (params: Record<string, string>) => string[] | undefined) => {
    routes[path] = (request, server) => {
      arrived.set(request, { server, segments: segmentsOf((request as Bun.BunRequest).params) });
      return handle(request);
    };
  };
  const segments_max = SEGMENTS_MAX + base_path.split('/').length;
  let path = '';
  for (let count = 1; count <= segments_max; count++) {
    path += `/:segment${count}`;
    add(path, (params) => Object.values(params));
    // Elysia takes one slash off the ends of these routes.
    add(`${path}//`, (params) => [...Object.values(params), '']);
  }
  add('/', () => ['']);
  add('/*', () => undefined);
  return routes;
}

/**
 * Reads the URL of a request, once: routing, guards, forwarding and logs use what is read here. Takes the prefix off the
 * path; a path without it is unchanged. Puts `CONTENT_PATH` in place of the prefix with the network.
 *
 * The request is changed in place, because its connection and its end are found by object identity.
 */
export function readUrl(request: Request, { base_path = '', network }: PathSettings): void {
  const { url: text, headers } = request;
  const read = URL.parse(text, headers.has('host') ? undefined : NO_HOST);
  const url = read ?? URL.parse(text.replace(ORIGIN, ''), NO_HOST) ?? new URL(NO_HOST);
  const fault = read === null ? noUrl() : (faultOfHost(request, url) ?? faultOfPath(request, url));
  const { pathname } = url;
  if (base_path !== '' && (pathname === base_path || pathname.startsWith(`${base_path}/`)))
    url.pathname = pathname.slice(base_path.length);
  const sent_path = url.pathname;
  const of_network = `/v2/${network}`;
  if (sent_path.startsWith(`${of_network}/`))
    url.pathname = CONTENT_PATH + sent_path.slice(of_network.length);
  readings.set(request, { url, sent_path, fault });
  if (url.href !== text) Object.defineProperty(request, 'url', { value: url.href });
}

/** The URL of a request, without the prefix, and with `CONTENT_PATH` for the network. */
export function urlOf(request: Pick<Request, 'url'>): URL {
  return readings.get(request as Request)?.url ?? new URL(request.url);
}

/** The path of a request without the prefix, and with the network as it was sent: for texts, and for other nodes. */
export function sentPathOf(request: Request): string {
  return readings.get(request)?.sent_path ?? urlOf(request).pathname;
}

/** @throws ServiceError `invalid_value` for a host that gives no URL; `not_found` if another path was sent than was read */
export function requireSentUrl(request: Request): void {
  const { fault } = readings.get(request) ?? {};
  if (fault !== undefined) throw fault;
}

/** The name of the connection of a request. Undefined for requests of this process itself. */
export function connectionOf(request: Request): string | undefined {
  const address = arrived.get(request)?.server.requestIP(request);
  return address ? `${address.address} ${address.port}` : undefined;
}

/**
 * Refuses DNS rebinding: another site lets its name mean a loopback address, and its pages reach the service there. Their
 * requests have that name and the port of the service. Those of a proxy have the address of the proxy.
 */
function faultOfHost(request: Request, { hostname, port }: URL): ServiceError | undefined {
  const server = arrived.get(request)?.server;
  if (server === undefined || Number(port) !== server.port || NOT_LOOKED_UP.test(hostname)) return undefined;
  if (!LOOPBACK.test(server.hostname ?? '')) return undefined;
  return new ServiceError(
    'invalid_value',
    `the header Host names ${hostname}, but the service listens on ${server.hostname} alone; send localhost or an address, or the name without the port`,
  );
}

/** Compares the path that was read with the path that was sent. Requests of this process itself were not sent. */
function faultOfPath(request: Request, { pathname }: URL): ServiceError | undefined {
  const sent = arrived.get(request);
  if (sent === undefined || (sent.segments !== undefined && isSame(sent.segments, pathname)))
    return undefined;
  return new ServiceError(
    'not_found',
    `there is nothing at ${pathname}; paths with '\\', or with '.', '..' or empty text between slashes, are not served (send such an identifier as a parameter of the query)`,
  );
}

function isSame(sent: readonly string[], pathname: string): boolean {
  if (`/${sent.join('/')}` === pathname) return true;
  const read = pathname.slice(1).split('/');
  return read.length === sent.length && read.every((segment, at) => isEncoded(segment, sent[at]));
}

function isEncoded(segment: string, decoded: string): boolean {
  try {
    return decodeURIComponent(segment) === decoded;
  } catch {
    // The runtime replaces bytes that are not text.
    return decoded.includes('\uFFFD');
  }
}

function noUrl(): ServiceError {
  return new ServiceError(
    'invalid_value',
    'the header Host must be the name or address of a host, such as feeds.example.com or 127.0.0.1:3000',
  );
}
