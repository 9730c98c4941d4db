import { type TSchema, Type } from '@sinclair/typebox';
import type { DocumentDecoration } from 'elysia';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { KeyRule } from '../identity/auth.ts';
import type { Answer } from '../transport/answers.ts';
import type { BodyDocs } from '../transport/body.ts';
import { ETAG, IF_MATCH } from '../transport/etag.ts';
import type { Parameter } from '../transport/parameters.ts';
import type { Route } from '../transport/route.ts';
import type { OperationDocs } from './docs.ts';
import { ProblemSchema, problemExampleName } from './problem-schemas.ts';

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
const WITH_PARAMETERS: readonly ErrorCode[] = ['invalid_value'];
const RETRY_STATUSES = new Set([429, 503]);

/** The operation of a route, made of what the route admits, reads and answers. */
export function operationOf(
  route: Route,
  { answer, docs }: NonNullable<Route['documented']>,
): DocumentDecoration {
  const { body, if_match } = route;
  const { key } = route.admit;
  const parameters = [
    ...parametersOf('path', route.params),
    ...parametersOf('query', route.query),
    ...parametersOf('header', if_match ? IF_MATCH : {}),
  ];
  const operation = {
    tags: [docs.tag],
    operationId: docs.id,
    summary: docs.summary,
    description: docs.description + needsOf(key),
    security: securityOf(key),
    ...(body === undefined ? {} : { requestBody: requestBody(body.docs, body.schema) }),
    responses: {
      [answer.status]: answerOf(answer),
      ...problemsOf(docs, key, body !== undefined, parameters.length > 0),
    },
    ...(parameters.length > 0 ? { parameters } : {}),
  };
  // Elysia types the document as OpenAPI 3.0, whose schemas are narrower than those of 3.1.
  return operation as DocumentDecoration;
}

function needsOf({ scope, viewer_tokens }: KeyRule = {}): string {
  const accepted = [scope ?? []].flat().map((name) => `\`${name}\``);
  const or_token = viewer_tokens ? ', or a viewer token' : '';
  return accepted.length === 0 ? '' : `\n\nNeeds a key with the scope ${accepted.join(' or ')}${or_token}.`;
}

function securityOf(key: KeyRule | undefined): object[] {
  if (key === undefined) return [];
  const accepted = key.scope === undefined ? [[]] : [key.scope].flat().map((scope) => [scope]);
  return accepted.flatMap((scopes) => [{ bearer: scopes }, { basic: scopes }, { api_key: scopes }]);
}

function requestBody({ description, required = true, examples, lines }: BodyDocs, schema: TSchema): object {
  const line = Type.String({ description: 'One JSON record per line.' });
  const by_line = {
    schema: line,
    examples: { lines: { summary: 'One record per line', value: lines } },
  };
  const more = lines === undefined ? {} : { 'application/x-ndjson': by_line };
  return { description, required, content: { 'application/json': { schema, examples }, ...more } };
}

function parametersOf(
  place: 'path' | 'query' | 'header',
  parameters: Readonly<Record<string, Pick<Parameter<unknown>, 'schema' | 'is_required'>>> = {},
): object[] {
  return Object.entries(parameters).map(([name, { schema, is_required }]) => {
    const { description, example, ...plain } = schema;
    return { name, in: place, description, schema: plain, required: is_required, example };
  });
}

/** @param schema its `contentMediaType` stands beside its keywords */
function answerOf({ schema, revisionOf }: Answer<unknown>): object {
  const { contentMediaType = 'application/json', ...plain } = schema;
  return {
    description: plain.description,
    headers: {
      'x-request-id': { $ref: '#/components/headers/x-request-id' },
      ...(revisionOf === undefined ? {} : ETAG),
    },
    content: { [contentMediaType]: { schema: plain } },
  };
}

/** One answer per status, with the error codes that it may contain. */
function problemsOf(
  { errors = [], problem = ProblemSchema }: OperationDocs,
  key: KeyRule | undefined,
  has_body: boolean,
  has_parameters: boolean,
): object {
  const codes = new Set<ErrorCode>(errors);
  if (has_parameters) for (const code of WITH_PARAMETERS) codes.add(code);
  if (has_body) for (const code of WITH_BODY) codes.add(code);
  if (key !== undefined) for (const code of WITH_KEY) codes.add(code);
  if (key?.scope !== undefined) codes.add('forbidden');
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
