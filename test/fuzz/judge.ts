import openapi from '../../openapi/openapi.json';
import { isWellFormed } from '../../src/model/values/well-formed.ts';
import type { Answer, SentRequest } from './http-client.ts';

interface Operation {
  responses: Record<string, unknown>;
}

const PATHS = Object.entries(openapi.paths as unknown as Record<string, Record<string, Operation>>);
const CODES: ReadonlySet<string> = new Set(openapi.components.schemas.Problem.properties.code.enum);
const LEAKS =
  /\bat .+\.[jt]s:\d|node_modules|\/(root|home|tmp|work)\/|sqlite|select .+ from|TypeError|RangeError|undefined is not/i;

/** The fault of an answer to any request; undefined if it has none. */
export function faultOf(request: SentRequest, { status, headers, text }: Answer): string | undefined {
  if (!Number.isInteger(status) || status < 200) return `status ${status}: '${text.slice(0, 100)}'`;
  if (status >= 500) return `status ${status}: ${text.slice(0, 300)}`;
  const documented = documentedStatuses(request);
  if (documented !== undefined && !documented.includes(String(status)))
    return `status ${status}, which is not documented there: ${text.slice(0, 200)}`;
  if (request.method === 'HEAD') return undefined;
  if (!headers.has('x-request-id')) return `status ${status} without x-request-id`;
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('application/x-ndjson')) return firstFault(text.trimEnd().split('\n'));
  if (status < 400) return type.includes('json') ? jsonFault(text) : undefined;
  if (request.target.startsWith('/xrpc/')) return jsonFault(text) ?? xrpcFault(JSON.parse(text));
  if (!type.startsWith('application/problem+json')) return `status ${status} as ${type}`;
  return jsonFault(text) ?? problemFault(status, JSON.parse(text));
}

/** Documented statuses of the operation of a request; undefined if it is not an operation. */
function documentedStatuses({ method, target }: SentRequest): string[] | undefined {
  const operation = operationAt(method, target);
  return operation && Object.keys(operation.responses);
}

/** Every documented operation, as `GET /path`. */
export function operations(): string[] {
  return PATHS.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** The documented operation of a request, as in `operations`. */
export function operationOf({ method, target }: Pick<SentRequest, 'method' | 'target'>): string | undefined {
  const path = pathAt(target);
  return path === undefined ? undefined : `${method} ${path}`;
}

function operationAt(method: string, target: string): Operation | undefined {
  const path = pathAt(target);
  return path === undefined
    ? undefined
    : PATHS.find(([template]) => template === path)?.[1][method.toLowerCase()];
}

/** The documented path that matches a target. */
function pathAt(target: string): string | undefined {
  // Clients do not send the part after a hash.
  if (target.includes('#')) return undefined;
  const given = target.split('?', 1)[0].split('/');
  const fits = (template: string): boolean => {
    const wanted = template.split('/');
    return (
      wanted.length === given.length &&
      wanted.every((segment, at) => (segment.startsWith('{') ? given[at] !== '' : segment === given[at]))
    );
  };
  const exact = PATHS.find(([template]) => template === given.join('/'));
  return (exact ?? PATHS.find(([template]) => fits(template)))?.[0];
}

function firstFault(lines: readonly string[]): string | undefined {
  return lines.map(jsonFault).find((fault) => fault !== undefined);
}

function jsonFault(text: string): string | undefined {
  try {
    return isWellFormed(JSON.parse(text)) ? undefined : `half a surrogate pair in ${text.slice(0, 300)}`;
  } catch (error) {
    return `no JSON (${String(error)}): ${text.slice(0, 200)}`;
  }
}

function xrpcFault({ error, message, ...others }: Record<string, unknown>): string | undefined {
  if (typeof error !== 'string' || typeof message !== 'string' || Object.keys(others).length > 0)
    return `an odd error: ${JSON.stringify({ error, message, ...others })}`;
  return LEAKS.test(message) ? `a leak: ${message}` : undefined;
}

function problemFault(status: number, problem: Record<string, unknown>): string | undefined {
  const { type, title, status: told, detail, code } = problem;
  if (told !== status || typeof type !== 'string' || typeof title !== 'string')
    return `an odd problem: ${JSON.stringify(problem)}`;
  if (typeof code !== 'string' || !CODES.has(code)) return `an unknown code '${String(code)}'`;
  if (typeof detail !== 'string' || detail === '') return `no detail with ${code}`;
  return LEAKS.test(detail) ? `a leak: ${detail}` : undefined;
}
