import {
  type ConnectorHost,
  type ConnectorRecord,
  defineIntegration,
  EMITTED_RECORDS_MAX,
  fetchBounded,
  nextTurn,
  Type,
} from 'feedloom/plugin';
import { WantedLists } from './bluesky-lists.ts';
import { COLLECTIONS, recordsOf } from './bluesky-records.ts';
import {
  BadMessage,
  type BlueskyEvent,
  eventOfV1,
  eventOfV2,
  MESSAGE_LENGTH_MAX,
  messageIn,
} from './bluesky-records-events.ts';
import { Messages } from './bluesky-stream.ts';
import {
  isNumbered,
  isV2,
  type Position,
  positionOf,
  REWIND_US,
  subscriptionUrl,
  textOfPosition,
  type Wanted,
} from './bluesky-subscription.ts';

/** The part of a bad message that is logged. */
const SHOWN_LENGTH = 80;
/** Messages between two turns of the event loop. */
const MESSAGES_A_TURN = 200;
/** A server that sends more messages in a row without an event is left. */
const MESSAGES_WITHOUT_EVENT_MAX = 10_000;
/** Bounds of the answer that says why a server refuses a subscription. */
const REFUSAL = { timeout_ms: 10_000, bytes_max: 16 * 1024 };

/** The server has fewer events than were read, so it has begun again, and its numbers mean other events. */
class StartsOver extends Error {}

/** Turns messages into batches of records, each with the position behind it. */
class Batches {
  private records: ConnectorRecord[] = [];
  private skipped_count = 0;
  /** Messages since the last event. */
  private without_event_count = 0;
  private emitted: string;

  constructor(
    private readonly host: ConnectorHost,
    private readonly address: URL,
    public position: Position,
    private readonly lists: WantedLists,
  ) {
    this.emitted = textOfPosition(position);
  }

  /**
   * @throws Error when the server ends the stream with an error, or sends too much that is no event. The events before
   * it are stored.
   */
  async take(messages: readonly string[]): Promise<void> {
    for (const [index, message] of messages.entries()) {
      if (index % MESSAGES_A_TURN === MESSAGES_A_TURN - 1) await nextTurn();
      const read = await this.read(message);
      if (read === undefined) {
        if (++this.without_event_count < MESSAGES_WITHOUT_EVENT_MAX) continue;
        await this.emit();
        throw new Error(`the server sent ${MESSAGES_WITHOUT_EVENT_MAX} messages in a row without an event`);
      }
      this.without_event_count = 0;
      if ('ending' in read) {
        await this.emit();
        if (read.starts_over) throw new StartsOver();
        throw new Error(`the server ended the stream: ${read.ending}`);
      }
      const { event, records } = read;
      const too_many = this.records.length + records.length > EMITTED_RECORDS_MAX;
      if (too_many || this.records.at(-1)?.kind === 'user_deletion') await this.emit();
      this.records.push(...records);
      this.passed(event);
    }
    await this.emit();
  }

  private async emit(): Promise<void> {
    const cursor = textOfPosition(this.position);
    if (this.records.length === 0 && cursor === this.emitted) return;
    const { records } = this;
    this.records = [];
    await this.host.emit(records, cursor);
    this.emitted = cursor;
  }

  private passed({ seen_us, seq }: BlueskyEvent): void {
    const { position } = this;
    position.time_us = Math.max(position.time_us, seen_us);
    if (seq !== undefined) position.seq = { number: seq, host: this.address.host };
  }

  /**
   * The records of an event. An event cannot be later than now: the position would skip the events until then, and its
   * post would not be shown before.
   */
  private dated(sent: BlueskyEvent): { event: BlueskyEvent; records: ConnectorRecord[] } {
    const now_us = Math.floor(this.host.clock.now() * 1_000_000);
    const [time_us, seen_us] = [Math.min(sent.time_us, now_us), Math.min(sent.seen_us, now_us)];
    const event = { ...sent, time_us, seen_us };
    return { event, records: recordsOf(event, this.lists) };
  }

  /** Undefined for a notice and a bad message. */
  private async read(
    message: string,
  ): Promise<
    { event: BlueskyEvent; records: ConnectorRecord[] } | { ending: string; starts_over?: true } | undefined
  > {
    try {
      const json = await messageIn(message);
      const event = isV2(this.address) ? eventOfV2(json) : eventOfV1(json);
      if ('ending' in event) return event;
      if (!('notice' in event)) return this.dated(event);
      this.host.log.warn({ notice: event.notice }, 'the server sent a notice');
      if (event.name === 'FutureCursor') return { ending: event.notice, starts_over: true };
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
      this.skipped_count++;
      const shown = { message: message.slice(0, SHOWN_LENGTH), cause: error.message };
      this.host.log.warn({ skipped_count: this.skipped_count, ...shown }, 'a message was skipped');
    }
    return undefined;
  }
}

const COLLECTION_NAMES = Object.keys(COLLECTIONS) as (keyof typeof COLLECTIONS)[];

/**
 * Reads Bluesky from a Jetstream server: posts, likes, reposts, follows, blocks, profiles, and accounts.
 *
 * Identifiers are at-URIs and DIDs. The path of the address decides about the wire format: version 2 is the lexicon
 * `network.bsky.jetstream.subscribeEvents` of https://github.com/bluesky-social/jetstream, any other path is version 1
 * (`/subscribe`). The records are those of the lexicons `app.bsky.*` of https://github.com/bluesky-social/atproto.
 */
export default defineIntegration({
  summary: 'Posts, likes, reposts, follows, blocks, lists and accounts of Bluesky, from a Jetstream server.',
  options: Type.Object(
    {
      url: Type.String({
        default: 'wss://jetstream2.us-east.bsky.network/subscribe',
        pattern: '^wss?://.',
        maxLength: 2048,
        description:
          'an address that starts with ws:// or wss://; a path that ends with network.bsky.jetstream.subscribeEvents is read as Jetstream v2',
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
      lists: Type.Array(
        Type.String({
          pattern: '^(at://did:[a-z]+:[^/]+/app\\.bsky\\.graph\\.list/[^/]+|did:[a-z]+:[^/]+)$',
          maxLength: 256,
          description: 'the at-URI of a list, or the DID of an account for all of its lists',
        }),
        { maxItems: 100, default: [], description: 'the lists of users that are read' },
      ),
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
  connect: ({ url, collections, dids, lists, back_hours }) => {
    const address = new URL(url);
    const wanted_lists = new WantedLists(lists);
    const wanted: Wanted = {
      collections: [...collections.map((name) => COLLECTIONS[name]), ...wanted_lists.collections],
      dids,
      message_length_max: MESSAGE_LENGTH_MAX,
    };
    return async (host) => {
      const back_us = (host.clock.now() - back_hours * 3600) * 1_000_000 + REWIND_US;
      const begin = { time_us: back_hours > 0 ? Math.floor(back_us) : 0 };
      const position = host.cursor === undefined ? begin : positionOf(host.cursor);
      const batches = new Batches(host, address, position, wanted_lists);
      for (;;) {
        const { position } = batches;
        const subscription = subscriptionUrl(address, wanted, position);
        const messages = Messages.ofText(subscription, host.signal);
        try {
          for (;;) await batches.take(await messages.next());
        } catch (error) {
          if (host.signal.aborted) throw error;
          // Everything that had arrived is stored now, so the rest can be fetched.
          if (messages.overflowed) continue;
          if (error instanceof StartsOver && position.seq !== undefined) {
            position.seq = undefined;
            continue;
          }
          const is_dropped =
            !messages.opened && isNumbered(address, position) && (await isTooOld(subscription, host.signal));
          if (!is_dropped) throw error;
          host.log.warn({ cursor: textOfPosition(position) }, 'the server dropped events that were not read');
          position.seq = undefined;
        } finally {
          messages.close();
        }
      }
    };
  },
});

/** Whether the server refuses a subscription because it has dropped the event at its cursor. */
async function isTooOld(subscription: URL, signal: AbortSignal): Promise<boolean> {
  const url = new URL(subscription);
  url.protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
  const answer = await fetchBounded(url, { ...REFUSAL, signal });
  return answer.status === 400 && answer.text().includes('CursorTooOld');
}
