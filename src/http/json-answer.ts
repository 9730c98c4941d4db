/** The content type that Elysia gives to objects. */
const JSON_TYPE = 'application/json;charset=utf-8';

/** JSON that is written already. Elysia sends a `Response` as it is when it has no headers of its own to add. */
export function jsonAnswer(
  json: string | Uint8Array<ArrayBuffer>,
  set: { headers: Record<string, string | number> },
): Response {
  const headers = set.headers as Record<string, string>;
  headers['content-type'] = JSON_TYPE;
  set.headers = {};
  return new Response(json, { headers });
}
