import type { TSchema } from '@sinclair/typebox';
import type { DocumentDecoration } from 'elysia';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { Scope } from '../../store/keys.ts';
import { ProblemSchema, problemExampleName } from '../schemas/problem.ts';
import type { Example } from './schema.ts';

/** Groups of operations, in the order of the page. */
export const TAGS = {
  Feeds: 'Pages of ranked items.',
  'Feed configurations': 'Feeds that are saved and named.',
  Keys: 'Tokens for apps and pages that cannot keep a key secret.',
  Console: 'Signing in to the web console.',
  Ingest: 'Sending items, users, and what users do.',
  'Stored records': 'Reading and deleting ingested records.',
  'Tokens and NFTs': 'An alpha API that recommends tokens and NFTs to wallets.',
  Audit: 'The log of changes to feeds and keys.',
  Operations: 'Health, metrics, plugins and languages.',
} as const;

/** Appended to operations that take the identifier from the query. */
export const BY_QUERY =
  'Same as the route with the identifier in the path. Use it for identifiers that a path cannot carry: `.`, `..`, and those with a `/` behind a proxy that decodes paths.';

/** A parameter in the path, the query or a header. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  schema: TSchema;
  /** Path parameters are always required. */
  required?: boolean;
  example?: unknown;
}

export interface Content {
  /** Media type. Default `application/json`. */
  type?: string;
  schema: TSchema;
  /** Named examples. Those of requests work unchanged against the demo community. */
  examples?: Record<string, Example>;
}

export interface Answer {
  description: string;
  content?: Content;
  headers?: Record<string, { description: string; schema: TSchema }>;
}

/** The documentation of a route. */
export interface Operation {
  tag: keyof typeof TAGS;
  /** Unique over the whole API. */
  id: string;
  /** A few words. */
  summary: string;
  description: string;
  /** Scope that the key needs; of several, one is enough; `any` for any key. Undefined: no key is needed. */
  key?: Scope | readonly Scope[] | 'any';
  parameters?: Parameter[];
  body?: { description: string; required: boolean; content: Content[] };
  /** Whether the route accepts viewer tokens instead of a key. Default false. */
  viewer_tokens?: boolean;
  /** Whether requests count against the rate limit of their key. Default true. */
  limited?: boolean;
  /** Answers by status. */
  answers: Record<number, Answer>;
  /** Errors other than those that follow from `key` and `body`. */
  errors?: ErrorCode[];
  /** Schema of its errors, if it differs from the usual one. */
  problem?: TSchema;
}

const WITH_KEY: readonly ErrorCode[] = ['unauthorized', 'overloaded', 'loading', 'shutting_down'];
const WITH_BODY: readonly ErrorCode[] = [
  'malformed_json',
  'invalid_value',
  'body_too_large',
  'unsupported_media_type',
];
const RETRY_STATUSES = new Set([429, 503]);

/**
 * The documentation of a route, for use as its last argument or part of it:
 * `routes.get(path, handler, documented({ … }))`.
 */
export function documented(operation: Operation): { detail: DocumentDecoration } {
  const { tag, id, summary, key, parameters = [], body } = operation;
  const or_token = operation.viewer_tokens ? ', or a viewer token' : '';
  const scopes = scopesOf(key)
    .map((scope) => `\`${scope}\``)
    .join(' or ');
  const needs = scopes === '' ? '' : `\n\nNeeds a key with the scope ${scopes}${or_token}.`;
  const detail = {
    tags: [tag],
    operationId: id,
    summary,
    description: operation.description + needs,
    security: securityOf(key),
    ...(parameters.length > 0 ? { parameters: parameters.map(parameterOf) } : {}),
    ...(body === undefined ? {} : { requestBody: { ...body, content: contentOf(body.content) } }),
    responses: { ...answersOf(operation.answers), ...problemsOf(operation) },
  };
  // Elysia types the document as OpenAPI 3.0, whose schemas are narrower than those of 3.1.
  return { detail: detail as DocumentDecoration };
}

function securityOf(key: Operation['key']): object[] {
  if (key === undefined) return [];
  const accepted = key === 'any' ? [[]] : scopesOf(key).map((scope) => [scope]);
  return accepted.flatMap((scopes) => [{ bearer: scopes }, { basic: scopes }, { api_key: scopes }]);
}

/** The scopes of which a key needs one. */
function scopesOf(key: Operation['key']): readonly Scope[] {
  if (key === undefined || key === 'any') return [];
  return typeof key === 'string' ? [key] : key;
}

function parameterOf({ required, ...parameter }: Parameter): object {
  return { ...parameter, required: parameter.in === 'path' || required === true };
}

function contentOf(contents: readonly Content[]): object {
  const by_type = contents.map(({ type = 'application/json', ...content }) => [type, content]);
  return Object.fromEntries(by_type);
}

function answersOf(answers: Record<number, Answer>): object {
  const entries = Object.entries(answers).map(([status, { description, content, headers = {} }]) => [
    status,
    {
      description,
      headers: { 'x-request-id': { $ref: '#/components/headers/x-request-id' }, ...headers },
      ...(content === undefined ? {} : { content: contentOf([content]) }),
    },
  ]);
  return Object.fromEntries(entries);
}

/** One answer per status, with the error codes that it may contain. */
function problemsOf({ key, limited = true, body, errors = [], problem = ProblemSchema }: Operation): object {
  const codes = new Set<ErrorCode>(errors);
  if (body !== undefined) for (const code of WITH_BODY) codes.add(code);
  if (key !== undefined) for (const code of WITH_KEY) codes.add(code);
  if (key !== undefined && key !== 'any') {
    codes.add('forbidden');
    if (limited) codes.add('rate_limited');
  }
  codes.add('internal');
  const by_status = new Map<number, ErrorCode[]>();
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    if (!codes.has(code)) continue;
    const { status } = ERRORS[code];
    by_status.set(status, [...(by_status.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...by_status].map(([status, of_status]) => [status, problemAnswer(status, of_status, problem)]),
  );
}

function problemAnswer(status: number, codes: readonly ErrorCode[], schema: TSchema): object {
  const header = RETRY_STATUSES.has(status) ? 'retry-after' : status === 401 ? 'www-authenticate' : undefined;
  const examples = codes.map((code) => [
    code,
    { $ref: `#/components/examples/${problemExampleName(code, schema)}` },
  ]);
  return {
    description: codes.map((code) => `${ERRORS[code].title} (\`${code}\`)`).join(', '),
    ...(header === undefined ? {} : { headers: { [header]: { $ref: `#/components/headers/${header}` } } }),
    content: { 'application/problem+json': { schema, examples: Object.fromEntries(examples) } },
  };
}
