/** A local server that speaks the wire format of Jetstream (`/subscribe`), with a fixed history and planned faults. */

type Fields = Record<string, unknown>;

export interface Frame {
  time_us: number;
  /** The text message. Bytes are sent as a binary message. */
  data: string | Uint8Array;
}

export interface Plan {
  /** Connection number n (from 0) is cut after so many frames. */
  cuts?: readonly number[];
  /** Awaited after each sent frame. Gets the number of all frames sent so far. */
  onSent?(count: number): void | Promise<void>;
}

/** Makes events in the format of Jetstream, a second apart. */
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

  raw(data: string | Uint8Array): this {
    this.time_us += 1_000_000;
    this.frames.push({ time_us: this.time_us, data });
    return this;
  }

  private add(did: string, kind: string, content: Fields): this {
    this.time_us += 1_000_000;
    const event = { did, time_us: this.time_us, kind, [kind]: content };
    this.frames.push({ time_us: this.time_us, data: JSON.stringify(event) });
    return this;
  }
}

export class Jetstream {
  private readonly server: Bun.Server<URL>;
  private connections = 0;
  private sent = 0;
  /** The requested addresses, in order. */
  readonly requests: URL[] = [];

  constructor(
    private readonly frames: readonly Frame[],
    private readonly plan: Plan = {},
  ) {
    this.server = Bun.serve<URL>({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request, server) => {
        const url = new URL(request.url);
        if (url.pathname === '/subscribe' && server.upgrade(request, { data: url })) return undefined;
        return new Response('not found', { status: 404 });
      },
      websocket: { open: (socket) => this.play(socket), message: () => {} },
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${this.server.port}/subscribe`;
  }

  async close(): Promise<void> {
    await this.server.stop(true);
  }

  /** Sends the history from the cursor. Without a cursor there is only news, of which there is none. */
  private async play(socket: Bun.ServerWebSocket<URL>): Promise<void> {
    const { searchParams } = socket.data;
    this.requests.push(socket.data);
    const cut = this.plan.cuts?.[this.connections++];
    const cursor = searchParams.get('cursor');
    const wanted = searchParams.getAll('wantedCollections');
    const history = cursor === null ? [] : this.frames.filter(({ time_us }) => time_us >= Number(cursor));
    const frames = history.filter((frame) => isWanted(frame, wanted));
    for (const { data } of frames.slice(0, cut)) {
      socket.send(data);
      await this.plan.onSent?.(++this.sent);
    }
    if (cut !== undefined && cut <= frames.length) socket.terminate();
  }
}

/** Only commits are chosen by their collection. */
function isWanted({ data }: Frame, wanted: readonly string[]): boolean {
  const collection = typeof data === 'string' ? /"collection":"([^"]+)"/.exec(data)?.[1] : undefined;
  return collection === undefined || wanted.includes(collection);
}
