import { Streamed } from './streamed-answers.ts';

/** The content type of JSON, also of objects that routes return. */
const JSON_TYPE = 'application/json;charset=utf-8';
const TEXT_TYPE = 'text/plain;charset=utf-8';

type Body = string | Uint8Array<ArrayBuffer> | Streamed;

/** A body that a route has written itself. */
export class Written {
  constructor(
    readonly body: Exclude<Body, Streamed>,
    readonly type: string = JSON_TYPE,
  ) {}
}

/** What Elysia keeps of an answer beside its body. */
interface Head {
  status?: number | string;
  headers: Record<string, string | number>;
}

/**
 * The answer with what a route or an error handler returned as its body. Elysia sends it as it is, as nothing is left of
 * the head.
 * @throws what `respond` throws; the head is then left as it was
 */
export function answerWith<T>(value: unknown, set: Head, respond: (body: Body, init: ResponseInit) => T): T {
  const { body, type } = bodyOf(value);
  const headers = { 'content-type': type, ...set.headers } as Record<string, string>;
  const status = typeof set.status === 'number' ? set.status : 200;
  const answer = respond(body, { status, headers });
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
