import { type TSchema, Type } from '@sinclair/typebox';
import type { DocumentDecoration } from 'elysia';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { Admission } from '../identity/auth.ts';
import { documentedSchema } from '../transport/checked.ts';
import { ProblemSchema, problemExampleName } from './problem-schemas.ts';
import type { Example, Json } from './schema.ts';

/** Groups of operations, in the order of the page. */
export const TAGS = {
  Feeds: 'Pages of ranked items.',
  People: 'Users to follow, and similar users.',
  'Feed configurations': 'Feeds that are saved and named.',
  Experiments: 'Comparing saved feeds with the viewers of one of them.',
  Keys: 'Tokens for apps and pages that cannot keep a key secret.',
  Console: 'Signing in to the web console.',
  Ingest: 'Sending items, users, and what users do.',
  'Stored records': 'Reading and deleting ingested records.',
  'Tokens and NFTs': 'An alpha API that recommends tokens and NFTs to wallets.',
  Bluesky: 'Feeds for the Bluesky app: the feed generator.',
  Audit: 'The log of changes to feeds, experiments and keys.',
  Operations: 'Health, metrics, plugins and languages.',
} as const;

interface BodyDocs {
  description: string;
  required?: boolean;
  /** Named examples. They work unchanged against the demo community. */
  examples: Record<string, Example>;
  /** An example of one JSON record per line, for routes that accept this form too. */
  lines?: string;
}

export interface OperationDocs {
  tag: keyof typeof TAGS;
  /** Unique over the whole API. */
  id: string;
  summary: string;
  description: string;
  /** How requests are admitted. Undefined: no key is needed. */
  admission?: Admission;
  body?: BodyDocs;
  /** Errors other than those that follow from `admission` and `body`. */
  errors?: readonly ErrorCode[];
  /** Schema of its errors, if it differs from the usual one. */
  problem?: TSchema;
}

/** The parts of a route that the document shows. */
export interface RouteHooks {
  detail?: DocumentDecoration;
  params?: unknown;
  query?: unknown;
  headers?: unknown;
  body?: unknown;
  response?: unknown;
}

const WITH_KEY: readonly ErrorCode[] = [
  'unauthorized',
  'rate_limited',
  'overloaded',
  'loading',
  'shutting_down',
];
const WITH_BODY: readonly ErrorCode[] = [
  'malformed_json',
  'invalid_value',
  'body_too_large',
  'unsupported_media_type',
];
const RETRY_STATUSES = new Set([429, 503]);

/** The `detail` of a route. `operationOf` adds what the route's schemas say. */
export function described(docs: OperationDocs): DocumentDecoration {
  const { tag, id, summary, admission, body } = docs;
  const { scope, viewer_tokens } = admission ?? {};
  const or_token = viewer_tokens ? ', or a viewer token' : '';
  const accepted = [scope ?? []].flat().map((name) => `\`${name}\``);
  const needs =
    accepted.length === 0 ? '' : `\n\nNeeds a key with the scope ${accepted.join(' or ')}${or_token}.`;
  const detail = {
    tags: [tag],
    operationId: id,
    summary,
    description: docs.description + needs,
    security: securityOf(admission),
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses: problemsOf(docs),
  };
  // Elysia types the document as OpenAPI 3.0, whose schemas are narrower than those of 3.1.
  return detail as DocumentDecoration;
}

/** For routes that take an identifier from the query. */
export const BY_QUERY =
  'Same as the route with the identifier in the path. Use it for identifiers that a path cannot carry: `.`, `..`, and those with a `/` behind a proxy that decodes paths.';

/** The documentation of the same route with the identifier in the query. */
export function byQuery(docs: OperationDocs): OperationDocs {
  return { ...docs, id: `${docs.id}ByQuery`, description: `${docs.description} ${BY_QUERY}` };
}

function securityOf(admission: Admission | undefined): object[] {
  if (admission === undefined) return [];
  const accepted = admission.scope === undefined ? [[]] : [admission.scope].flat().map((scope) => [scope]);
  return accepted.flatMap((scopes) => [{ bearer: scopes }, { basic: scopes }, { api_key: scopes }]);
}

function requestBody({ description, required = true, examples, lines }: BodyDocs): object {
  const schema = Type.String({ description: 'One JSON record per line.' });
  const by_line = { schema, examples: { lines: { summary: 'One record per line', value: lines } } };
  const more = lines === undefined ? {} : { 'application/x-ndjson': by_line };
  return { description, required, content: { 'application/json': { examples }, ...more } };
}

/** The operation of a route: its `detail`, with parameters, body and answers from its schemas. */
export function operationOf({ detail, body, response, ...hooks }: RouteHooks): DocumentDecoration {
  const parameters = [
    ...parametersOf('path', hooks.params),
    ...parametersOf('query', hooks.query),
    ...parametersOf('header', hooks.headers),
  ];
  const answers = Object.entries((response ?? {}) as Record<string, TSchema>).map(([status, schema]) => [
    status,
    answerOf(documentedSchema(schema)),
  ]);
  const operation = {
    ...detail,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : { requestBody: withSchema({ ...detail?.requestBody }, body as TSchema) }),
    responses: { ...Object.fromEntries(answers), ...detail?.responses },
  };
  return operation as DocumentDecoration;
}

function withSchema({ content, ...rest }: Json, body: TSchema): Json {
  const { 'application/json': json, ...others } = content as Record<string, Json>;
  return { ...rest, content: { 'application/json': { schema: documentedSchema(body), ...json }, ...others } };
}

function parametersOf(place: 'path' | 'query' | 'header', schema: unknown): object[] {
  if (schema === undefined) return [];
  const { properties, required = [] } = documentedSchema(schema as TSchema);
  return Object.entries<TSchema>(properties).map(([name, { description, example, ...plain }]) => ({
    name,
    in: place,
    description,
    schema: plain,
    // Elysia fills in the default of an absent parameter.
    required: required.includes(name) && plain.default === undefined,
    example,
  }));
}

/** @param schema `contentMediaType` and `headers` of the answer stand beside the keywords of its schema */
function answerOf({ contentMediaType = 'application/json', headers = {}, ...schema }: TSchema): object {
  return {
    description: schema.description,
    headers: { 'x-request-id': { $ref: '#/components/headers/x-request-id' }, ...headers },
    content: { [contentMediaType]: { schema } },
  };
}

/** One answer per status, with the error codes that it may contain. */
function problemsOf({ admission, body, errors = [], problem = ProblemSchema }: OperationDocs): object {
  const codes = new Set<ErrorCode>(errors);
  if (body !== undefined) for (const code of WITH_BODY) codes.add(code);
  if (admission !== undefined) for (const code of WITH_KEY) codes.add(code);
  if (admission?.scope !== undefined) codes.add('forbidden');
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
  const { contentMediaType, ...plain } = schema;
  // The examples are problem details.
  const examples = codes.map((code) => [
    code,
    { $ref: `#/components/examples/${problemExampleName(code, schema)}` },
  ]);
  const content =
    contentMediaType === undefined
      ? { 'application/problem+json': { schema, examples: Object.fromEntries(examples) } }
      : { [contentMediaType]: { schema: plain } };
  return {
    description: codes.map((code) => `${ERRORS[code].title} (\`${code}\`)`).join(', '),
    ...(header === undefined ? {} : { headers: { [header]: { $ref: `#/components/headers/${header}` } } }),
    content,
  };
}
