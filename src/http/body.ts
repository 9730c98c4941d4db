import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidValue, ServiceError } from '../errors.ts';
import { clip } from '../ingest/records/refusal.ts';
import { LIMITS } from '../limits.ts';
import { PIECE_LENGTH, parsePieces } from './json-pieces.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Where a body is going to be kept. */
export interface Room {
  /** Takes so many further bytes. @throws ServiceError `overloaded` */
  take(bytes: number): void;
  /** The most that one body may have. */
  bytes_max: number;
  /** Waits for the body, but not for ever; absent: as long as it goes on arriving. @throws ServiceError `malformed_json` */
  inTime?<T>(reading: Promise<T>): Promise<T>;
}

function tooLarge({ bytes_max }: Room): ServiceError {
  return new ServiceError('body_too_large', `the body must be at most ${bytes_max} bytes`);
}

function endedEarly(cause: unknown): ServiceError {
  return new ServiceError('malformed_json', 'the body ended too early', undefined, undefined, { cause });
}

/**
 * The bytes of a body of undeclared length, given up as soon as they are too many.
 * @throws ServiceError as of `readAll`, `body_too_large`, `overloaded`
 */
async function readChunks(body: ReadableStream<Uint8Array> | null, room: Room): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.byteLength;
      if (length > room.bytes_max) throw tooLarge(room);
      room.take(chunk.byteLength);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : endedEarly(error);
  }
  return Buffer.concat(chunks, length);
}

/**
 * The bytes of a body of declared length.
 * @throws ServiceError `malformed_json` when the caller is gone before all of it has arrived
 */
async function readAll(request: Request): Promise<ArrayBuffer> {
  try {
    return await request.arrayBuffer();
  } catch (error) {
    throw endedEarly(error);
  }
}

/** Undefined also for one that was declared twice, which reads like a list. */
function declaredLength(request: Request): number | undefined {
  const length = request.headers.get('content-length');
  return length !== null && /^\d+$/.test(length) ? Number(length) : undefined;
}

/** @throws ServiceError `unsupported_media_type` for a body that is compressed */
function refuseEncoded(request: Request): void {
  const encoding = request.headers.get('content-encoding')?.trim() ?? '';
  if (encoding === '' || encoding.toLowerCase() === 'identity') return;
  throw new ServiceError(
    'unsupported_media_type',
    `'${clip(encoding)}' is not supported as content-encoding; send the body uncompressed`,
  );
}

/**
 * The bytes of a request body as text.
 * @throws ServiceError `unsupported_media_type` for a compressed one, `body_too_large`, `overloaded`,
 * `malformed_json` for broken UTF-8, or when it does not come
 */
async function readText(request: Request, room: Room): Promise<string> {
  refuseEncoded(request);
  const declared = declaredLength(request);
  if (declared !== undefined && declared > room.bytes_max) throw tooLarge(room);
  if (declared !== undefined) room.take(declared);
  const reading: Promise<ArrayBuffer | Uint8Array> =
    declared === undefined ? readChunks(request.body, room) : readAll(request);
  const bytes = await (room.inTime?.(reading) ?? reading);
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ServiceError('malformed_json', 'the body is not valid UTF-8');
  }
}

/** The media type of a request without its parameters, lower case; '' when none was sent. */
function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0].trim().toLowerCase();
}

function parseJson(text: string, where = 'the body'): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(error, where);
  }
}

function malformed(error: unknown, where: string): ServiceError {
  const reason = error instanceof Error ? error.message : 'unexpected end';
  return new ServiceError('malformed_json', `${where} is not valid JSON: ${reason}`);
}

function refuseMedia(type: string, allowed: string): ServiceError {
  return new ServiceError('unsupported_media_type', `'${type}' is not supported; send ${allowed}`);
}

/** Whether objects and arrays lie within each other deeper than `levels`. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  // `Object.values` of a list makes a text of each place first.
  const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inside.some((inner) => isDeeperThan(inner, levels - 1));
}

/**
 * The JSON value of a request body; `undefined` when there is none.
 * @throws ServiceError `malformed_json`, `unsupported_media_type`, `body_too_large`, `overloaded`,
 * `invalid_value` for a value nested so deep that whoever walks it could run out of stack
 */
export async function readJson(request: Request, room: Room): Promise<unknown> {
  const text = await readText(request, room);
  if (text.trim() === '') return undefined;
  const type = mediaType(request);
  if (type !== '' && type !== 'application/json') throw refuseMedia(type, 'application/json');
  const value = parseJson(text);
  if (!isDeeperThan(value, LIMITS.body_depth_max)) return value;
  throw invalidValue([
    { path: '', message: `must have at most ${LIMITS.body_depth_max} levels of objects and arrays` },
  ]);
}

/**
 * The records of an ingest body: one object, an array, or one JSON text a line (`application/x-ndjson`,
 * empty lines skipped).
 * @throws ServiceError as `readJson`, and `invalid_value` for too many records
 */
export async function readRecords(request: Request, room: Room): Promise<unknown[]> {
  const text = await readText(request, room);
  const type = mediaType(request);
  if (type === 'application/x-ndjson') return limited(await ndjson(text));
  if (type !== '' && type !== 'application/json') {
    throw refuseMedia(type, 'application/json or application/x-ndjson');
  }
  if (text.trim() === '')
    throw new ServiceError('malformed_json', 'the body is empty; send a record or an array of records');
  const value = await parsePieces(text).catch((error) => {
    throw malformed(error, 'the body');
  });
  return limited(Array.isArray(value) ? value : [value]);
}

/** Parsed in pieces like other bodies, and no further than one record more than are allowed. */
async function ndjson(text: string): Promise<unknown[]> {
  const records: unknown[] = [];
  let piece = PIECE_LENGTH;
  for (let start = 0, number = 1; start < text.length; number++) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const line = text.slice(start, end);
    start = end + 1;
    if (line.trim() !== '') records.push(parseJson(line, `line ${number}`));
    if (records.length > LIMITS.ingest_records_max) break;
    if (start < piece) continue;
    piece = start + PIECE_LENGTH;
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
