/** The events of Jetstream, from the messages of both versions of its wire format. */

import { isoSecondsIn, parseLongJson, TooNested } from 'feedloom/plugin';

/** Longer messages are not sent by the server, and skipped if they are. */
export const MESSAGE_LENGTH_MAX = 1_000_000;
/** Larger cursors are times in microseconds, smaller ones are numbers of events. */
const TIME_CURSOR_MIN = 1e15;
const TIME_US_MAX = 4_294_967_295_000_000;

export type Json = Record<string, unknown>;

/** An event, as far as both versions have the same fields. */
export interface BlueskyEvent {
  did: string;
  time_us: number;
  /** When this server saw the event, which is what a time as cursor counts on. */
  seen_us: number;
  /** The position in the stream of this server. Only in version 2. */
  seq: number | undefined;
  /** `commit`, `identity`, `account`, or a kind that is not read. */
  kind: string;
  content: Json;
}

/** A message that is no event: a notice with its name, or the reason why the server ends the stream. */
export type Advice = { notice: string; name: string | undefined } | { ending: string };

const DID = /^did:[a-z]+:[A-Za-z0-9._:%-]+$/;

/** A DID, or undefined. Authors write records as they like, and other texts may be ids of other networks. */
export const idIn = (value: unknown): string | undefined =>
  typeof value === 'string' && DID.test(value) ? value : undefined;
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const objectIn = (value: unknown): Json => (isObject(value) ? value : {});
export const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** An invalid message. The text says why. */
export class BadMessage extends Error {}

export async function messageIn(message: string): Promise<Json> {
  if (message.length > MESSAGE_LENGTH_MAX) throw new BadMessage(`it has ${message.length} characters`);
  try {
    return objectIn(await parseLongJson(message));
  } catch (error) {
    throw new BadMessage(error instanceof TooNested ? `it has ${error.message}` : 'it is not JSON');
  }
}

/** Reads a message of `/subscribe` (version 1). @throws BadMessage */
export function eventOfV1(event: Json): BlueskyEvent {
  const { time_us, kind } = event;
  const did = didIn(event.did);
  if (!Number.isSafeInteger(time_us) || Number(time_us) <= 0 || Number(time_us) > TIME_US_MAX)
    throw new BadMessage("it has no valid 'time_us'");
  if (typeof kind !== 'string') throw new BadMessage("it has no 'kind'");
  const seen_us = Number(time_us);
  return { did, time_us: seen_us, seen_us, seq: undefined, kind, content: objectIn(event[kind]) };
}

/** Reads a message of `network.bsky.jetstream.subscribeEvents` (version 2). @throws BadMessage */
export function eventOfV2({ $type, payload, error, message: reason }: Json): BlueskyEvent | Advice {
  if ($type === 'error') return { ending: labelled(error, reason) };
  if ($type !== 'message' || !isObject(payload))
    throw new BadMessage("it is neither a 'message' nor an 'error'");
  const [, kind] = (textIn(payload.$type) ?? '').split('#');
  if (kind === undefined) throw new BadMessage("its payload has no '$type'");
  if (kind === 'info') {
    return { notice: labelled(payload.name, payload.message), name: textIn(payload.name) };
  }
  const { seq } = payload;
  const is_number = Number.isSafeInteger(seq) && Number(seq) > 0 && Number(seq) < TIME_CURSOR_MIN;
  if (!is_number) throw new BadMessage("it has no valid 'seq'");
  const time_us = microsecondsIn(payload.time, 'time');
  // Absent on older servers. An operator may change `time` later.
  const seen_us =
    payload.witnessedAt === undefined ? time_us : microsecondsIn(payload.witnessedAt, 'witnessedAt');
  // Identities and accounts are wrapped events of the relay; a commit is the payload itself.
  const content = kind === 'commit' ? payload : objectIn(payload[kind]);
  return { did: didIn(payload.did), time_us, seen_us, seq: Number(seq), kind, content };
}

function microsecondsIn(value: unknown, name: string): number {
  const time_us = Math.round((isoSecondsIn(value) ?? 0) * 1e6);
  if (time_us > 0 && time_us <= TIME_US_MAX) return time_us;
  throw new BadMessage(`it has no valid '${name}'`);
}

function labelled(name: unknown, text: unknown): string {
  return [textIn(name), textIn(text)].filter((part) => part !== undefined).join(': ');
}

function didIn(value: unknown): string {
  const did = idIn(value);
  if (did === undefined) throw new BadMessage("it has no 'did'");
  return did;
}
