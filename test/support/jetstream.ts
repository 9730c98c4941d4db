/**
 * A local server that speaks the wire formats of Jetstream, with a fixed history and planned faults.
 *
 * `/subscribe` is version 1. `/xrpc/network.bsky.jetstream.subscribeEvents` is version 2: the lexicon of that name in
 * https://github.com/bluesky-social/jetstream. The values are invented.
 */

type Fields = Record<string, unknown>;

export interface Frame {
  time_us: number;
  /** Number of the event in version 2. */
  seq: number;
  /** The message in version 1. Bytes are sent as a binary message. */
  data: string | Uint8Array;
  /** The message in version 2. */
  data_v2: string | Uint8Array;
}

export interface Plan {
  /** Connection number n (from 0) is cut after so many frames. */
  cuts?: readonly (number | undefined)[];
  /** Connection number n (from 0) is refused with this HTTP status, for example 429. */
  refusals?: readonly (number | undefined)[];
  /** Events with a lower number or time are dropped already. */
  oldest_seq?: number;
  /** Version 2 ends the stream with this error after the history. */
  ends_with?: string;
  /** Awaited after each sent frame. Gets the number of all frames sent so far. */
  onSent?(count: number): void | Promise<void>;
}

const V1_PATH = '/subscribe';
const V2_NAME = 'network.bsky.jetstream.subscribeEvents';
const TIME_CURSOR_MIN = 1e15;

/** Makes events in the formats of Jetstream, a second apart. */
export class Events {
  readonly frames: Frame[] = [];
  private time_us: number;

  /** @param start seconds */
  constructor(start: number) {
    this.time_us = start * 1_000_000;
  }

  /** When the next event happens, in ISO 8601. */
  get created_at(): string {
    return new Date(this.time_us / 1000 + 1000).toISOString();
  }

  get last_us(): number {
    return this.time_us;
  }

  /** Lets time pass without events. */
  pause(seconds: number): this {
    this.time_us += seconds * 1_000_000;
    return this;
  }

  commit(did: string, operation: string, collection: string, rkey: string, record?: Fields): this {
    const known =
      record === undefined ? {} : { record: { $type: collection, ...record }, cid: `cid-${rkey}` };
    return this.add(did, 'commit', { rev: `rev-${rkey}`, operation, collection, rkey, ...known });
  }

  create(did: string, collection: string, rkey: string, record: Fields): this {
    return this.commit(did, 'create', collection, rkey, { createdAt: this.created_at, ...record });
  }

  delete(did: string, collection: string, rkey: string): this {
    return this.commit(did, 'delete', collection, rkey);
  }

  account(did: string, active: boolean, status?: string): this {
    return this.add(did, 'account', { active, did, seq: this.frames.length, time: this.created_at, status });
  }

  identity(did: string, handle: string): this {
    return this.add(did, 'identity', { did, handle, seq: this.frames.length, time: this.created_at });
  }

  raw(data: string | Uint8Array, data_v2 = data): this {
    this.time_us += 1_000_000;
    this.frames.push({ time_us: this.time_us, seq: this.frames.length + 1, data, data_v2 });
    return this;
  }

  private add(did: string, kind: string, content: Fields): this {
    const time = this.created_at.replace('Z', '000Z');
    const time_us = this.time_us + 1_000_000;
    const envelope = { $type: `${V2_NAME}#${kind}`, seq: this.frames.length + 1, did, time };
    // A commit has its fields beside those of the envelope; other events wrap those of the relay.
    const payload = { ...envelope, ...(kind === 'commit' ? content : { [kind]: content }) };
    const v1 = { did, time_us, kind, [kind]: content };
    return this.raw(JSON.stringify(v1), JSON.stringify({ $type: 'message', payload }));
  }
}

export class Jetstream {
  private readonly server: Bun.Server<URL>;
  private connections = 0;
  private sent = 0;
  /** The addresses of accepted and refused subscriptions, in order. */
  readonly requests: URL[] = [];

  constructor(
    private readonly frames: readonly Frame[],
    private readonly plan: Plan = {},
  ) {
    this.server = Bun.serve<URL>({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request, server) => this.answer(request, server),
      websocket: { open: (socket) => this.play(socket), message: () => {} },
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${this.server.port}${V1_PATH}`;
  }

  get url_v2(): string {
    return `ws://127.0.0.1:${this.server.port}/xrpc/${V2_NAME}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop(true);
  }

  private answer(request: Request, server: Bun.Server<URL>): Response | undefined {
    const url = new URL(request.url);
    if (url.pathname !== V1_PATH && !isV2(url)) return new Response('not found', { status: 404 });
    const refusal = isV2(url) ? this.refusalOfV2(url) : undefined;
    const upgrades = request.headers.get('upgrade') === 'websocket';
    if (!upgrades) return refusal ?? new Response('not a WebSocket', { status: 426 });
    this.requests.push(url);
    const status = this.plan.refusals?.[this.connections];
    if (status !== undefined || refusal !== undefined) {
      this.connections++;
      return refusal ?? new Response('refused', { status });
    }
    return server.upgrade(request, { data: url }) ? undefined : new Response('no upgrade', { status: 400 });
  }

  private refusalOfV2({ searchParams }: URL): Response | undefined {
    const refused = (error: string, message: string) => Response.json({ error, message }, { status: 400 });
    if (searchParams.has('wantedCollections') || searchParams.has('wantedDids'))
      return refused('InvalidRequest', 'use collections and dids');
    const cursor = Number(searchParams.get('cursor'));
    const { oldest_seq = 0 } = this.plan;
    if (cursor === 0 || cursor >= TIME_CURSOR_MIN || cursor >= oldest_seq) return undefined;
    return refused('CursorTooOld', `the oldest event is ${oldest_seq}`);
  }

  /** Sends the history from the cursor. Without a cursor there is only news, of which there is none. */
  private async play(socket: Bun.ServerWebSocket<URL>): Promise<void> {
    const { plan } = this;
    const cut = plan.cuts?.[this.connections++];
    const v2 = isV2(socket.data);
    const frames = this.framesFor(socket.data);
    const [first] = frames;
    if (v2 && first !== undefined && first.seq === plan.oldest_seq) {
      const payload = {
        $type: `${V2_NAME}#info`,
        name: 'OutdatedCursor',
        message: `resumed at ${first.seq}`,
      };
      socket.send(JSON.stringify({ $type: 'message', payload }));
    }
    if (v2 && this.isBeyond(socket.data)) {
      const payload = { $type: `${V2_NAME}#info`, name: 'FutureCursor', message: 'started at the live tip' };
      socket.send(JSON.stringify({ $type: 'message', payload }));
    }
    for (const { data, data_v2 } of frames.slice(0, cut)) {
      socket.send(v2 ? data_v2 : data);
      await plan.onSent?.(++this.sent);
      if (socket.readyState !== WebSocket.OPEN) return;
    }
    if (v2 && plan.ends_with !== undefined)
      socket.send(JSON.stringify({ $type: 'error', error: plan.ends_with, message: 'read faster' }));
    if (cut !== undefined && cut <= frames.length) socket.terminate();
  }

  /** Whether the cursor is a number that no event has had. */
  private isBeyond({ searchParams }: URL): boolean {
    const cursor = Number(searchParams.get('cursor'));
    return cursor < TIME_CURSOR_MIN && cursor > this.frames.length + 1;
  }

  private framesFor(url: URL): Frame[] {
    const { searchParams } = url;
    const cursor = Number(searchParams.get('cursor'));
    if (cursor === 0) return [];
    const { oldest_seq = 0 } = this.plan;
    const wanted = searchParams.getAll(isV2(url) ? 'collections' : 'wantedCollections');
    const isBehind = ({ seq, time_us }: Frame) => (cursor < TIME_CURSOR_MIN ? seq : time_us) >= cursor;
    return this.frames.filter(
      (frame) => frame.seq >= oldest_seq && isBehind(frame) && isWanted(frame, wanted),
    );
  }
}

function isV2(url: URL): boolean {
  return url.pathname === `/xrpc/${V2_NAME}`;
}

/** Only commits are chosen by their collection. */
function isWanted({ data }: Frame, wanted: readonly string[]): boolean {
  const collection = typeof data === 'string' ? /"collection":"([^"]+)"/.exec(data)?.[1] : undefined;
  return collection === undefined || wanted.includes(collection);
}
