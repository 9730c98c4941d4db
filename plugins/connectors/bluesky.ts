import {
  type ConnectorHost,
  type ConnectorRecord,
  defineConnector,
  EMITTED_RECORDS_MAX,
  Type,
} from 'feedloom/plugin';
import {
  BadMessage,
  COLLECTIONS,
  type Event,
  eventOf,
  MESSAGE_LENGTH_MAX,
  recordsOf,
} from './bluesky-records.ts';

/** Events arrive slightly out of order, so reading starts this long before the cursor. Repeats change nothing. */
const REWIND_US = 5_000_000;
/** If more waits than this, the connection is closed, and opened again once everything is stored. */
const WAITING_LENGTH_MAX = 32_000_000;
/** The part of a bad message that is logged. */
const SHOWN_LENGTH = 80;
/** The messages of one connection that have not been read yet. */
class Messages {
  private waiting: string[] = [];
  private waiting_length = 0;
  private wake = (): void => {};
  private closed: string | undefined;
  /** Whether the connection was closed because too much waits. */
  overflowed = false;
  private readonly socket: WebSocket;

  constructor(
    url: URL,
    private readonly signal: AbortSignal,
  ) {
    this.socket = new WebSocket(url);
    this.socket.addEventListener('message', ({ data }) => this.add(data));
    this.socket.addEventListener('error', () => this.end('the connection failed'));
    this.socket.addEventListener('close', ({ code }) => this.end(`the connection was closed (code ${code})`));
    signal.addEventListener('abort', this.close);
    if (signal.aborted) this.close();
  }

  /** The messages that came since the last call, at least one. @throws Error when the connection has ended */
  async next(): Promise<string[]> {
    this.signal.throwIfAborted();
    if (this.waiting.length === 0 && this.closed === undefined)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    this.signal.throwIfAborted();
    const { waiting } = this;
    if (waiting.length === 0) throw new Error(this.closed);
    this.waiting = [];
    this.waiting_length = 0;
    return waiting;
  }

  readonly close = (): void => {
    this.signal.removeEventListener('abort', this.close);
    this.socket.close();
    this.end('the connection was closed');
  };

  private add(data: unknown): void {
    if (this.closed !== undefined) return;
    this.waiting.push(typeof data === 'string' ? data : '(binary message)');
    this.waiting_length += typeof data === 'string' ? data.length : 0;
    if (this.waiting_length > WAITING_LENGTH_MAX) {
      this.overflowed = true;
      this.close();
    }
    this.wake();
  }

  private end(reason: string): void {
    this.closed ??= reason;
    this.wake();
  }
}

/** Turns messages into batches of records, each with the cursor behind it. */
class Batches {
  private records: ConnectorRecord[] = [];
  private skipped_count = 0;
  private emitted: number;

  /** @param cursor the latest `time_us` that was read; 0 at the beginning */
  constructor(
    private readonly host: ConnectorHost,
    public cursor: number,
  ) {
    this.emitted = cursor;
  }

  async take(messages: readonly string[]): Promise<void> {
    for (const message of messages) {
      const read = this.read(message);
      if (read === undefined) continue;
      const { event, records } = read;
      const too_many = this.records.length + records.length > EMITTED_RECORDS_MAX;
      if (too_many || this.records.at(-1)?.kind === 'user_deletion') await this.emit();
      this.records.push(...records);
      this.cursor = Math.max(this.cursor, event.time_us);
    }
    await this.emit();
  }

  private async emit(): Promise<void> {
    if (this.records.length === 0 && this.cursor === this.emitted) return;
    const { records } = this;
    this.records = [];
    await this.host.emit(records, String(this.cursor));
    this.emitted = this.cursor;
  }

  /** Undefined for a bad message. The first ones are logged, later ones at growing intervals. */
  private read(message: string): { event: Event; records: ConnectorRecord[] } | undefined {
    try {
      const event = eventOf(message);
      return { event, records: recordsOf(event) };
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
      this.skipped_count++;
      const is_power_of_two = Number.isInteger(Math.log2(this.skipped_count));
      if (this.skipped_count <= 10 || is_power_of_two) {
        const fields = { skipped_count: this.skipped_count, message: message.slice(0, SHOWN_LENGTH) };
        this.host.log.warn(fields, `a message was skipped: ${error.message}`);
      }
      return undefined;
    }
  }
}

const COLLECTION_NAMES = Object.keys(COLLECTIONS) as (keyof typeof COLLECTIONS)[];

/**
 * Reads Bluesky from a Jetstream server: posts, likes, reposts, follows, blocks, profiles, and accounts.
 *
 * Identifiers are at-URIs and DIDs. Wire format: https://github.com/bluesky-social/jetstream-legacy, and the lexicons
 * `app.bsky.*` of https://github.com/bluesky-social/atproto.
 */
export default defineConnector({
  summary: 'Posts, likes, reposts, follows, blocks and accounts of Bluesky, from a Jetstream server.',
  options: Type.Object(
    {
      url: Type.String({
        default: 'wss://jetstream2.us-east.bsky.network/subscribe',
        pattern: '^wss?://.',
        maxLength: 2048,
        description: 'an address that starts with ws:// or wss://',
      }),
      collections: Type.Array(Type.Union(COLLECTION_NAMES.map((name) => Type.Literal(name))), {
        minItems: 1,
        maxItems: 6,
        default: COLLECTION_NAMES,
        description: 'what is read',
      }),
      dids: Type.Array(Type.String({ pattern: '^did:[a-z]+:', maxLength: 256, description: 'a DID' }), {
        maxItems: 100,
        default: [],
        description: 'only these accounts; empty: all',
      }),
      back_hours: Type.Number({
        minimum: 0,
        maximum: 1000,
        default: 0,
        description: 'how far back the first start reads, as far as the server still has it',
      }),
    },
    { additionalProperties: false },
  ),
  silence_seconds: 120,
  start: ({ url, collections, dids, back_hours }) => {
    return async (host) => {
      const begin = back_hours > 0 ? (host.clock.now() - back_hours * 3600) * 1_000_000 + REWIND_US : 0;
      const batches = new Batches(host, Number(host.cursor ?? Math.floor(begin)));
      for (;;) {
        const messages = new Messages(subscription(url, collections, dids, batches.cursor), host.signal);
        try {
          for (;;) await batches.take(await messages.next());
        } catch (error) {
          // Everything that had arrived is stored now, so the rest can be fetched.
          if (!messages.overflowed || host.signal.aborted) throw error;
        } finally {
          messages.close();
        }
      }
    };
  },
});

function subscription(
  address: string,
  collections: readonly (keyof typeof COLLECTIONS)[],
  dids: readonly string[],
  cursor: number,
): URL {
  const url = new URL(address);
  for (const name of collections) url.searchParams.append('wantedCollections', COLLECTIONS[name]);
  for (const did of dids) url.searchParams.append('wantedDids', did);
  url.searchParams.set('maxMessageSizeBytes', String(MESSAGE_LENGTH_MAX));
  if (cursor > 0) url.searchParams.set('cursor', String(Math.max(1, cursor - REWIND_US)));
  return url;
}
