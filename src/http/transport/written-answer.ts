import { Streamed } from './streamed-answers.ts';

/** Content type of JSON, also of objects that routes return. */
const JSON_TYPE = 'application/json;charset=utf-8';
const TEXT_TYPE = 'text/plain;charset=utf-8';

/** A file is sent by the kernel, so none of it is in memory. */
type Body = string | Uint8Array<ArrayBuffer> | Bun.BunFile | Streamed;

/** A body that the route has serialised itself, or has as a file. */
export class Written {
  constructor(
    readonly body: Exclude<Body, Streamed>,
    readonly type: string = JSON_TYPE,
  ) {}
}

/** The status and headers that Elysia collected for an answer. */
interface Head {
  status?: number | string;
  headers: Record<string, string | number>;
}

/**
 * Creates the response from the value that a route or error handler returned.
 *
 * It clears the head, so Elysia sends the response unchanged.
 * @throws errors of `respond`; the head is unchanged then
 */
export function answerWith(
  value: unknown,
  set: Head,
  respond: (body: Exclude<Body, Bun.BunFile>, init: ResponseInit) => Response,
): Response {
  const { body, type } = bodyOf(value);
  const headers = { 'content-type': type, ...set.headers } as Record<string, string>;
  const status = typeof set.status === 'number' ? set.status : 200;
  const init = { status, headers };
  const answer = body instanceof Blob ? new Response(body, init) : respond(body, init);
  set.headers = {};
  set.status = 200;
  return answer;
}

function bodyOf(value: unknown): { body: Body; type: string } {
  if (value instanceof Streamed) return { body: value, type: value.type };
  if (value instanceof Written) return value;
  if (typeof value === 'string') return new Written(value, TEXT_TYPE);
  return new Written(JSON.stringify(value));
}
