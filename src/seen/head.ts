import type { Seconds } from '../clock.ts';
import { ByteReader, ByteWriter } from '../columns/bytes.ts';
import { readKeys, writeKeys } from './item-keys.ts';

/** The format of heads and parts. Another one needs another value of `SEEN_FORMAT` in `store/seen.ts`. */
const FORMAT = 1;

/** Items that were recorded at one time, or on one day, in the order of recording, then of slots. */
export interface SeenRun {
  /** When they were recorded; of a day, in whole seconds, when the last of them were. */
  time: Seconds;
  /** Item keys. Of pages, as they were shown. */
  keys: Uint32Array;
  /** The run as it is stored. */
  bytes: Uint8Array;
}

/** A recorded page. Times of pages have milliseconds. */
export interface SeenPage extends SeenRun {
  /** Random, below 2^48. It shows whether a write with an unknown outcome was stored. */
  page_id: number;
  /** The number of the saved feed, or 0. */
  feed: number;
  /** The variant of an experiment, or `NO_ARM`. */
  arm: number;
}

/** The answer to a request with a `request_id`, kept for ten minutes. `keys` are those of the whole page. */
export interface SeenReply extends SeenRun {
  page_id: number;
  /** The first 8 bytes of a hash of the `request_id`, and of its parameters, as hexadecimal text. */
  hash: string;
  digest: string;
  /** Of interleaved variants, for each item the number of the one that chose it, or 0. */
  teams?: Uint8Array;
}

/** What part 0 of a viewer's row contains. Runs, pages and replies are in order of recording. */
export interface SeenHead {
  /** `seq` of the last erasure of this viewer; 0 if there was none. */
  erased_seq: number;
  /** Differs from that of a row of this viewer that was removed or erased. 0: there is no row. */
  born: number;
  /** How many parts have been moved out of the head. */
  moved: number;
  days: readonly SeenRun[];
  pages: readonly SeenPage[];
  replies: readonly SeenReply[];
}

export const NO_HEAD: SeenHead = { erased_seq: 0, born: 0, moved: 0, days: [], pages: [], replies: [] };

/** The head after an erasure. @param born see `SeenHead` */
export function erasedHead(erased_seq: number, born: number): Uint8Array<ArrayBuffer> {
  return encodeHead({ ...NO_HEAD, erased_seq, born });
}

/** A head of at most so many bytes has nothing but an erasure. */
export const EMPTY_HEAD_BYTES = encodeHead(NO_HEAD).length;

/** Whether a row with this head has nothing but an erasure. */
export function isEmpty({ moved, days, pages, replies }: SeenHead): boolean {
  return moved + days.length + pages.length + replies.length === 0;
}

/** Hashes a text for `SeenReply`. */
export function shortHash(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 16);
}

function encoded(write: (writer: ByteWriter) => void, keys: Uint32Array): Uint8Array {
  const writer = new ByteWriter();
  write(writer);
  writeKeys(writer, keys);
  return writer.result();
}

/** Milliseconds, as they are stored. */
const stored = (time: Seconds): number => Math.round(time * 1000);

/** @param time in whole seconds */
export function dayRun(time: Seconds, keys: Uint32Array): SeenRun {
  return { time, keys, bytes: encoded((writer) => writer.varint(time), keys) };
}

export function newPage(page: Omit<SeenPage, 'bytes'>): SeenPage {
  const bytes = encoded((writer) => {
    writer.uint48(stored(page.time));
    writer.uint48(page.page_id);
    writer.varint(page.feed);
    writer.varint(page.arm);
  }, page.keys);
  return { ...page, time: stored(page.time) / 1000, bytes };
}

export function newReply(reply: Omit<SeenReply, 'bytes'>): SeenReply {
  const bytes = encoded((writer) => {
    writer.uint48(stored(reply.time));
    writer.uint48(reply.page_id);
    for (const hash of [reply.hash, reply.digest]) writer.raw(Uint8Array.fromHex(hash));
  }, reply.keys);
  return { ...reply, time: stored(reply.time) / 1000, bytes };
}

function readRun(reader: ByteReader): SeenRun {
  const start = reader.at;
  const time = reader.varint();
  const keys = readKeys(reader);
  return { time, keys, bytes: reader.since(start) };
}

function readPage(reader: ByteReader): SeenPage {
  const start = reader.at;
  const time = reader.uint48() / 1000;
  const page_id = reader.uint48();
  const feed = reader.varint();
  const arm = reader.varint();
  const keys = readKeys(reader);
  return { time, page_id, feed, arm, keys, bytes: reader.since(start) };
}

function readReply(reader: ByteReader): SeenReply {
  const start = reader.at;
  const time = reader.uint48() / 1000;
  const page_id = reader.uint48();
  const hash = reader.raw(8).toHex();
  const digest = reader.raw(8).toHex();
  const keys = readKeys(reader);
  return { time, page_id, hash, digest, keys, bytes: reader.since(start) };
}

export function bytesOf(runs: readonly SeenRun[]): number {
  return runs.reduce((bytes, run) => bytes + run.bytes.length, 0);
}

/** The runs of a part, and of the sections of a head, follow each other. */
export function encodeRuns(runs: readonly SeenRun[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  for (const { bytes } of runs) writer.raw(bytes);
  return writer.result();
}

function readAll<T>(reader: ByteReader, read: (reader: ByteReader) => T): T[] {
  const all: T[] = [];
  while (!reader.is_at_end) all.push(read(reader));
  return all;
}

export function decodeRuns(part: Uint8Array): SeenRun[] {
  return readAll(new ByteReader(part), readRun);
}

export function encodeHead({
  erased_seq,
  born,
  moved,
  days,
  pages,
  replies,
}: SeenHead): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writer.byte(FORMAT);
  // Of fixed length, so that an empty head is recognised by its length.
  for (const number of [erased_seq, born, moved]) writer.uint48(number);
  for (const runs of [days, pages, replies]) {
    writer.varint(bytesOf(runs));
    for (const { bytes } of runs) writer.raw(bytes);
  }
  // Only interleaved pages have teams, so they follow after all else.
  for (const { page_id, teams } of replies) {
    if (teams === undefined) continue;
    writer.uint48(page_id);
    writer.varint(teams.length);
    writer.raw(teams);
  }
  return writer.result();
}

function readTeams(reader: ByteReader): [page_id: number, teams: Uint8Array] {
  return [reader.uint48(), reader.raw(reader.varint())];
}

/** @throws Error for bytes that are no head of this format */
export function decodeHead(content: Uint8Array): SeenHead {
  const reader = new ByteReader(content);
  if (reader.byte() !== FORMAT) throw new Error('a row of seen items has a format of another version');
  const [erased_seq, born, moved] = [reader.uint48(), reader.uint48(), reader.uint48()];
  const section = () => new ByteReader(reader.raw(reader.varint()));
  const days = readAll(section(), readRun);
  const pages = readAll(section(), readPage);
  const replies = readAll(section(), readReply);
  for (const [page_id, teams] of readAll(reader, readTeams))
    for (const reply of replies) if (reply.page_id === page_id) reply.teams = teams;
  return { erased_seq, born, moved, days, pages, replies };
}
