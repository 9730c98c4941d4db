import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidValue, ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { clip } from '../../model/values/refusal.ts';
import { repeatedAt, withoutRepeated } from '../../model/values/repeated.ts';
import { JSON_SLICE_LENGTH } from '../../plugin/json.ts';
import { parseLongJson } from '../../plugin/json-long.ts';
import type { JsonPath } from '../../plugin/json-members.ts';
import { type ContainerBudget, JSON_CONTAINERS_MAX, TooNested } from '../../plugin/json-scanner.ts';
import type { ArrivingBody } from './body-timeouts.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';

export interface Room {
  bytes_max: number;
  /** Reserves memory for bytes that were received. @throws ServiceError `overloaded` */
  take(bytes: number): void;
  /** Reads a body with a timeout. @throws ServiceError `malformed_json`; errors of `read` */
  inTime<T>(read: (body: ArrivingBody) => Promise<T>): Promise<T>;
}

function tooLarge({ bytes_max }: Room): ServiceError {
  return new ServiceError('body_too_large', `the body must be at most ${bytes_max} bytes`);
}

function endedEarly(cause: unknown): ServiceError {
  return new ServiceError('malformed_json', 'the body ended too early', undefined, undefined, { cause });
}

/**
 * Reads a body that is large or of undeclared length. Memory is reserved as chunks arrive; reading stops at the limit.
 */
async function readChunks(
  body: ReadableStream<Uint8Array>,
  room: Room,
  arriving: ArrivingBody,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  arriving.cancel = cancel;
  const chunks: Uint8Array[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks, arriving.bytes);
      arriving.arrived(value.byteLength);
      if (arriving.bytes > room.bytes_max) throw tooLarge(room);
      room.take(value.byteLength);
      chunks.push(value);
    }
  } catch (error) {
    cancel();
    throw error instanceof ServiceError ? error : endedEarly(error);
  }
}

/** Reads a small body of declared length. It usually arrives together with its request. */
async function readWhole(request: Request, room: Room): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const bytes = new Uint8Array(await request.arrayBuffer());
    room.take(bytes.byteLength);
    return bytes;
  } catch (error) {
    throw error instanceof ServiceError ? error : endedEarly(error);
  }
}

/** Declared length in bytes. Undefined also for a header that was sent twice, which reads like a list. */
function declaredLength(request: Request): number | undefined {
  const length = request.headers.get('content-length');
  return length !== null && /^\d+$/.test(length) ? Number(length) : undefined;
}

function refuseEncoded(request: Request): void {
  const encoding = request.headers.get('content-encoding')?.trim() ?? '';
  if (encoding === '' || encoding.toLowerCase() === 'identity') return;
  throw new ServiceError(
    'unsupported_media_type',
    `'${clip(encoding)}' is not supported as content-encoding; send the body uncompressed`,
  );
}

/**
 * Reads a request body as it was sent.
 * @throws ServiceError `unsupported_media_type` for an encoded one, `body_too_large`, `overloaded`, `malformed_json` if it
 * ends early or too late
 */
export async function readBody(request: Request, room: Room): Promise<Uint8Array<ArrayBuffer>> {
  refuseEncoded(request);
  const declared = declaredLength(request);
  if (declared !== undefined && declared > room.bytes_max) throw tooLarge(room);
  if (declared !== undefined && declared <= LIMITS.small_body_bytes_max)
    return room.inTime(() => readWhole(request, room));
  // Accessing `body` creates a stream, which is slower. Small bodies avoid it.
  const { body } = request;
  return body === null ? new Uint8Array() : room.inTime((arriving) => readChunks(body, room, arriving));
}

/** Media type of a request in lower case, without its parameters; '' when absent. */
export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0].trim().toLowerCase();
}

/**
 * How the bytes of a body become a value; undefined for an empty body.
 * @param type media type of the request
 * @throws ServiceError `malformed_json`, `unsupported_media_type`; `invalid_value` for a value that is nested too deep,
 * or has too many objects
 */
export type BodyForm = (bytes: Uint8Array, type: string) => Promise<unknown>;

/** JSON of any media type, as senders of deliveries choose it. */
export const anyJson: BodyForm = (bytes) => oneValue(textIn(bytes));

/** JSON. */
export const json: BodyForm = async (bytes, type) => {
  const text = textIn(bytes);
  if (text.trim() === '') return undefined;
  if (type !== '' && type !== JSON_TYPE) throw refuseMedia(type, JSON_TYPE);
  return oneValue(text);
};

/** @throws ServiceError `invalid_value` for a member whose object has its name already: one of them would be lost */
async function oneValue(text: string): Promise<unknown> {
  const repeated: JsonPath[] = [];
  const value = await parsed(text, repeated);
  if (repeated.length > 0) throw invalidValue(repeated.map(repeatedAt));
  return value;
}

/**
 * As `json`, for routes without a key: the media type must be sent. A page of another site can make browsers send any
 * body, but not with this type unless CORS allows the page to call.
 */
export const namedJson: BodyForm = async (bytes, type) => {
  const value = await json(bytes, type);
  if (value === undefined || type === JSON_TYPE) return value;
  throw new ServiceError(
    'unsupported_media_type',
    'this route needs no key, so the body must be sent with the header Content-Type: application/json',
  );
};

/**
 * A list of records: one object, an array, or one JSON text per line (`application/x-ndjson`, empty lines skipped). Too
 * many records are refused.
 */
export const recordList: BodyForm = async (bytes, type) => {
  const text = textIn(bytes);
  if (type === LINES_TYPE) return limited(await ndjson(text));
  if (type !== '' && type !== JSON_TYPE) throw refuseMedia(type, `${JSON_TYPE} or ${LINES_TYPE}`);
  if (text.trim() === '')
    throw new ServiceError('malformed_json', 'the body is empty; send a record or an array of records');
  return limited(await recordsIn(text));
};

/** The records of a JSON text. A record with a member twice is refused without the others. */
async function recordsIn(text: string, line?: number, budget?: ContainerBudget): Promise<unknown[]> {
  const repeated: JsonPath[] = [];
  return withoutRepeated(await parsed(text, repeated, line, budget), repeated);
}

function textIn(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ServiceError('malformed_json', 'the body is not valid UTF-8');
  }
}

async function parsed(
  text: string,
  repeated: JsonPath[],
  line?: number,
  budget?: ContainerBudget,
): Promise<unknown> {
  try {
    return await parseLongJson(text, budget, { repeated, long_numbers: 'noted' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unexpected end';
    if (error instanceof TooNested)
      throw invalidValue([{ path: '', message: `must not have ${reason}${line ? ` (line ${line})` : ''}` }]);
    const where = line === undefined ? 'the body' : `line ${line}`;
    throw new ServiceError('malformed_json', `${where} is not valid JSON: ${reason}`);
  }
}

function refuseMedia(type: string, allowed: string): ServiceError {
  return new ServiceError('unsupported_media_type', `'${type}' is not supported; send ${allowed}`);
}

/** Parses lines in slices, as other bodies are, and stops one record after the limit. */
async function ndjson(text: string): Promise<unknown[]> {
  const records: unknown[] = [];
  const budget = { left: JSON_CONTAINERS_MAX };
  let turn_at = JSON_SLICE_LENGTH;
  for (let start = 0, number = 1; start < text.length; number++) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const line = text.slice(start, end);
    start = end + 1;
    if (line.trim() !== '') records.push(...(await recordsIn(line, number, budget)));
    if (records.length > LIMITS.ingest_records_max) break;
    if (start < turn_at) continue;
    turn_at = start + JSON_SLICE_LENGTH;
    await nextTurn();
  }
  return records;
}

function limited(records: unknown[]): unknown[] {
  if (records.length <= LIMITS.ingest_records_max) return records;
  throw new ServiceError('invalid_value', `a body holds at most ${LIMITS.ingest_records_max} records`, [
    { path: '', message: `must be at most ${LIMITS.ingest_records_max} records` },
  ]);
}
