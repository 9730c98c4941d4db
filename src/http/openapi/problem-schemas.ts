import { type TSchema, Type } from '@sinclair/typebox';
import { Integer, ListOf, ObjectOf, Text } from '../../answer/schema-parts.ts';
import { ERRORS, type ErrorCode, invalidValue, ServiceError } from '../../errors.ts';
import { problemOf } from '../transport/problem.ts';
import { type Example, namedObject } from './schema.ts';

const statuses = [...new Set(Object.values(ERRORS).map(({ status }) => status))].sort(
  (one, other) => one - other,
);
const codes = Object.entries(ERRORS).map(([code, { status, title }]) => `\`${code}\`: ${status}, ${title}`);

const FaultSchema = ObjectOf('One fault of the request.', {
  path: Text('JSON pointer (RFC 6901) to the wrong value; empty for the whole body.', '/top_k'),
  message: Text('What is allowed.', 'must be an integer from 1 to 500'),
});

const fields = {
  type: Text('URN of the code.', 'urn:feedloom:error:invalid_value'),
  title: Text('The code in words.', 'Invalid value'),
  status: Type.Unsafe({ type: 'integer', enum: statuses, description: 'The HTTP status.', example: 400 }),
  detail: Text(
    'What is wrong and, for a value, what is allowed.',
    '/top_k: must be an integer from 1 to 500',
  ),
  code: Type.Unsafe({
    type: 'string',
    enum: Object.keys(ERRORS),
    description: `Stable error code.\n\n${codes.join('\n\n')}`,
    example: 'invalid_value',
  }),
  errors: Type.Optional(ListOf('Every fault. Only for validation errors.', FaultSchema)),
};

export const ProblemSchema = namedObject('Problem', 'What went wrong (RFC 9457).', fields);

/** Problem details of feed requests and saved feeds, with two more fields. */
export const FeedProblemSchema = namedObject(
  'FeedProblem',
  'What went wrong (RFC 9457), with the fields that feed clients print.',
  {
    ...fields,
    status_code: Integer('Same as `status`.', 400),
    body: Text('Same as `detail`.', '/top_k: must be an integer from 1 to 500'),
  },
);

/** Example texts of `detail`. Codes without an entry use their title. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  malformed_json: "the body is not valid JSON: JSON Parse error: Expected '}'",
  request_too_costly:
    'this request was ended after 501 ms of work, as no other is answered meanwhile: too many items were looked at for its filters (acme/keywords)',
  unauthorized: 'the key is not known or has been revoked',
  forbidden: 'this key lacks the scope config:write',
  quota_exceeded: 'this account has 1000 saved feeds and may have 1000; delete one first',
  not_found: "there is no feed 'feed_9'",
  rkey_taken: "another saved feed has the record key 'home'; choose another for config.bluesky.rkey",
  experiment_running:
    "the experiment 'exp_1' runs on the feed 'feed_1'; a feed has at most one running experiment: stop that one first",
  revision_mismatch: "the feed 'feed_9' is at revision 3; read it again and repeat the change",
  body_too_large: 'the body must be at most 16777216 bytes',
  unsupported_media_type: "'text/plain' is not supported; send application/json",
  rate_limited: 'this key may send 50 requests per second; try again in 1 s',
  internal: 'Something went wrong here; the log has the cause under this request id.',
  plugin_failed: 'A plugin failed; the log names it.',
  overloaded: '4097 requests are under way; try again in a moment',
  loading: 'the service is loading its state',
  shutting_down: 'the service is shutting down',
};

/** Name of the document's example for an error code, in one of the two forms above. */
export function problemExampleName(code: ErrorCode, schema: TSchema): string {
  return schema === FeedProblemSchema ? `${code}_of_feed` : code;
}

/** An example of every error, by name. */
export function problemExamples(): Record<string, Example> {
  const examples: Record<string, Example> = {};
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const error =
      code === 'invalid_value'
        ? invalidValue([{ path: '/top_k', message: 'must be an integer from 1 to 500' }])
        : new ServiceError(code, DETAILS[code] ?? ERRORS[code].title);
    const summary = ERRORS[code].title;
    examples[problemExampleName(code, ProblemSchema)] = { summary, value: problemOf(error, '') };
    examples[problemExampleName(code, FeedProblemSchema)] = {
      summary,
      value: problemOf(error, '/api/feed/'),
    };
  }
  return examples;
}
