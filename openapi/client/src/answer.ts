import { FeedloomError } from './errors.ts';
import type { IngestProblem } from './schema.ts';

/** A response whose body has arrived. */
export interface Answer {
  ok: boolean;
  status: number;
  headers: Headers;
  text: string;
}

/**
 * The value of an answer: that of its JSON, the list of its JSON lines, or its text.
 * @throws FeedloomError for an error, and for an answer that the service does not give
 */
export function contentOf({ ok, status, headers, text }: Answer): unknown {
  const type = (headers.get('content-type') ?? 'none').split(';')[0].trim();
  const value = read(type, text);
  if (!ok) throw new FeedloomError(status, isProblem(value) ? value : {}, headers);
  if (value === undefined) {
    const detail = `the answer has status ${status}, but its content (type: ${type}) is not that of the service`;
    throw new FeedloomError(status, { detail }, headers);
  }
  return value;
}

/** Undefined if the text is not of that type, or the type is none that the service uses. */
function read(type: string, text: string): unknown {
  try {
    if (/^application\/(problem\+)?json$/.test(type)) return JSON.parse(text);
    if (type === 'application/x-ndjson')
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    return type === 'text/plain' || type === 'text/csv' ? text : undefined;
  } catch {
    return undefined;
  }
}

function isProblem(value: unknown): value is IngestProblem {
  const is_object = typeof value === 'object' && value !== null && 'code' in value && 'detail' in value;
  return is_object && typeof value.code === 'string' && typeof value.detail === 'string';
}
