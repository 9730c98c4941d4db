/**
 * Changes in the order of their commits, from a replication slot.
 *
 * The library reads the protocol and the messages of `pgoutput`. It confirms nothing on its own: only what was stored is
 * confirmed, also in answers to keepalives.
 */
import type { ClientConfig } from 'pg';
import { LogicalReplicationService, type Pgoutput, PgoutputPlugin } from 'pg-logical-replication';
import { lsnOf, numberOf } from './postgres-cursor.ts';
import type { Names } from './postgres-setup.ts';

/** A message, or a position in the log behind all messages so far. */
export type Message = Pgoutput.Message | { tag: 'idle'; lsn: string };

/** Messages that may wait. Beyond that the connection is not read. */
const WAITING_MAX = 2_000;
const WAITING_BYTES_MAX = 8 * 1024 * 1024;
/** The server answers with its position, and ends connections that are silent for 60 s. */
const CONFIRM_MS = 1_000;

/** All values stay as the server writes them, since dates of JavaScript lose microseconds. */
export const AS_WRITTEN = { getTypeParser: () => (text: string) => text };

/** Values are written alike in copies and in the log. */
export const SESSION = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601'`;

class TextPlugin extends PgoutputPlugin {
  /** Bytes of each message that was received and is not handled. */
  readonly sizes: number[] = [];

  override parse(buffer: Buffer): Pgoutput.Message {
    this.sizes.push(buffer.length);
    const message: Pgoutput.Message = super.parse(buffer);
    if (message.tag === 'relation') for (const column of message.columns) column.parser = String;
    return message;
  }

  override async start(...[client, slot, from]: Parameters<PgoutputPlugin['start']>): Promise<unknown> {
    await client.query(SESSION);
    return super.start(client, slot, from);
  }
}

export class ChangeStream {
  private readonly service: LogicalReplicationService;
  private readonly plugin: TextPlugin;
  private waiting: Message[] = [];
  private waiting_bytes = 0;
  private failure: Error | undefined;
  private news = Promise.withResolvers<void>();
  private room = Promise.withResolvers<void>();
  private readonly timer: ReturnType<typeof setInterval>;

  /** @param confirmed the position that is stored */
  constructor(
    client: ClientConfig,
    { slot, publication }: Names,
    private confirmed: string,
  ) {
    this.plugin = new TextPlugin({ protoVersion: 1, publicationNames: [publication] });
    this.service = new LogicalReplicationService(client, {
      acknowledge: { auto: false, timeoutSeconds: 0 },
      flowControl: { enabled: true },
    });
    this.service.on('error', (error) => this.fail(error));
    this.service.on('data', (_, message: Pgoutput.Message) => this.take(message));
    this.service.on('heartbeat', (lsn, _, is_asked) => this.beat(lsn, is_asked));
    this.timer = setInterval(() => void this.answer(true), CONFIRM_MS);
    this.service.subscribe(this.plugin, slot, confirmed).then(
      () => this.fail(new Error('the server ended the replication')),
      (error) => this.fail(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** The messages that arrived since, at least one. Rejects when the connection has ended. */
  async next(): Promise<Message[]> {
    while (this.waiting.length === 0) {
      if (this.failure !== undefined) throw this.failure;
      this.news = Promise.withResolvers();
      await this.news.promise;
    }
    const messages = this.waiting;
    this.waiting = [];
    this.waiting_bytes = 0;
    this.room.resolve();
    return messages;
  }

  /** Lets the server drop its log up to a position that is stored. */
  confirm(lsn: string): void {
    this.confirmed = lsn;
    void this.answer(false);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.fail(new Error('the connection was closed'));
    await this.service.destroy();
  }

  fail(error: Error): void {
    this.failure ??= error;
    this.news.resolve();
    this.room.resolve();
  }

  private async take(message: Pgoutput.Message): Promise<void> {
    this.waiting_bytes += this.plugin.sizes.shift() ?? 0;
    this.waiting.push(message);
    this.news.resolve();
    const has_room = this.waiting.length < WAITING_MAX && this.waiting_bytes < WAITING_BYTES_MAX;
    if (has_room || this.failure !== undefined) return;
    this.room = Promise.withResolvers();
    await this.room.promise;
  }

  /** A keepalive. If nothing that came before it is left, everything up to its position was sent. */
  private beat(lsn: string, is_asked: boolean): void {
    if (is_asked) void this.answer(false);
    if (this.plugin.sizes.length > 0) return;
    this.waiting.push({ tag: 'idle', lsn });
    this.news.resolve();
  }

  /** The library adds one to what it confirms, and the next change may begin exactly there. */
  private async answer(asks: boolean): Promise<void> {
    await this.service.acknowledge(lsnOf(numberOf(this.confirmed) - 1n), asks);
  }
}
