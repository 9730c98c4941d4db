import type { TSchema } from '@sinclair/typebox';
import type { DocumentDecoration } from 'elysia';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { Scope } from '../../store/keys.ts';
import { ProblemSchema, problemExampleName } from '../schemas/problem.ts';
import type { Example } from './schema.ts';

/** Groups of operations, in the order in which the page shows them. */
export const TAGS = {
  Feeds: 'Pages of ranked items.',
  'Feed configurations': 'Feeds that are saved and named.',
  Keys: 'Tokens for apps and pages that cannot keep a key secret.',
  Ingest: 'What the service is told: items, users, and what users do.',
  'Stored records': 'Reading back and deleting what was ingested.',
  'Tokens and NFTs': 'An alpha API for wallets: what to acquire next.',
  Audit: 'Who changed feeds and keys.',
  Operations: 'Health, metrics, and what is loaded.',
} as const;

/** Appended to the operations that take the identifier out of the query. */
export const BY_QUERY =
  'The same with the identifier in the query, for identifiers that cannot travel in a path: `.`, `..`, and those with a `/` behind a proxy that decodes paths.';

/** A parameter of path, query or header. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  schema: TSchema;
  /** Parameters of a path are always required. */
  required?: boolean;
  example?: unknown;
}

export interface Content {
  /** `application/json` unless said otherwise. */
  type?: string;
  schema: TSchema;
  /** Named examples; those of a request run as they are against the demo community. */
  examples?: Record<string, Example>;
}

export interface Answer {
  description: string;
  content?: Content;
  headers?: Record<string, { description: string; schema: TSchema }>;
}

/** What a route says of itself. */
export interface Operation {
  tag: keyof typeof TAGS;
  /** Unique over the whole API. */
  id: string;
  /** A few words. */
  summary: string;
  description: string;
  /** The scope that the key needs, `any` for any key; absent: no key is needed. */
  key?: Scope | 'any';
  parameters?: Parameter[];
  body?: { description: string; required: boolean; content: Content[] };
  /** Whether it takes viewer tokens in the place of a key; default no. */
  viewer_tokens?: boolean;
  /** Whether the rate of its key is limited; default yes. */
  limited?: boolean;
  /** By status. */
  answers: Record<number, Answer>;
  /** Errors beside those that follow from `key` and `body`. */
  errors?: ErrorCode[];
  /** The form of its errors, where that is not the usual one. */
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
 * The documentation of a route, as its last argument or part of it:
 * `routes.get(path, handler, documented({ … }))`.
 */
export function documented(operation: Operation): { detail: DocumentDecoration } {
  const { tag, id, summary, key, parameters = [], body } = operation;
  const or_token = operation.viewer_tokens ? ', or a viewer token' : '';
  const needs =
    key === undefined || key === 'any' ? '' : `\n\nNeeds a key with the scope \`${key}\`${or_token}.`;
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
  // Elysia's type is that of OpenAPI 3.0, whose schemas are narrower than those of 3.1.
  return { detail: detail as DocumentDecoration };
}

function securityOf(key: Operation['key']): object[] {
  if (key === undefined) return [];
  const scopes = key === 'any' ? [] : [key];
  return [{ bearer: scopes }, { basic: scopes }, { api_key: scopes }];
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

/** One answer per status, saying which codes it may carry. */
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
