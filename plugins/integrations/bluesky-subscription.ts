/** Where a stream is read, and from where on. */

/** The address of version 2 ends with this. */
const V2_PATH = /\/network\.bsky\.jetstream\.subscribeEvents$/;
const V2_KINDS = ['commit', 'identity', 'account'];
/** Lower numbers are positions of version 2, other numbers are times in microseconds. */
const TIME_CURSOR_MIN = 1e15;
/** Events of version 1 arrive slightly out of order, so reading starts this long before the latest. Repeats change nothing. */
export const REWIND_US = 5_000_000;

/** How far a stream has been read. */
export interface Position {
  /** Time of the latest event in microseconds; 0 at the beginning. */
  time_us: number;
  /** Number of the latest event in version 2, which counts only on one server. */
  seq?: { number: number; host: string };
}

export function textOfPosition({ time_us, seq }: Position): string {
  return seq === undefined ? String(time_us) : `${time_us} ${seq.number} ${seq.host}`;
}

export function positionOf(text: string): Position {
  const [time_us, number, host] = text.split(' ');
  if (host === undefined) return { time_us: Number(time_us) };
  return { time_us: Number(time_us), seq: { number: Number(number), host } };
}

export function isV2(url: URL): boolean {
  return V2_PATH.test(url.pathname);
}

/** What is read of a server. */
export interface Wanted {
  collections: readonly string[];
  dids: readonly string[];
  message_length_max: number;
}

/** The address of the stream behind a position, in the version that the address speaks. */
export function subscriptionUrl(address: URL, wanted: Wanted, position: Position): URL {
  const url = new URL(address);
  const [collections, dids] = isV2(url) ? ['collections', 'dids'] : ['wantedCollections', 'wantedDids'];
  if (isV2(url)) for (const kind of V2_KINDS) url.searchParams.append('kinds', kind);
  for (const name of wanted.collections) url.searchParams.append(collections, name);
  for (const did of wanted.dids) url.searchParams.append(dids, did);
  url.searchParams.set('maxMessageSizeBytes', String(wanted.message_length_max));
  const cursor = cursorFor(url, position);
  if (cursor > 0) url.searchParams.set('cursor', String(cursor));
  return url;
}

/** Whether the position is a number of the server, which it may have dropped. */
export function isNumbered(address: URL, { seq }: Position): boolean {
  return isV2(address) && seq?.host === address.host;
}

/** 0 for the live stream. The event at the cursor is sent again. */
function cursorFor(address: URL, position: Position): number {
  const { time_us, seq } = position;
  if (seq !== undefined && isNumbered(address, position)) return seq.number;
  return time_us > 0 ? Math.max(TIME_CURSOR_MIN, time_us - REWIND_US) : 0;
}
