import { encode } from 'cborg';

/** A local labeler: a directory with its DID document, and its stream of labels, with planned faults. */

export const LABELER = 'did:plc:labeler';
export const SUBJECT = 'at://did:plc:ann/app.bsky.feed.post/1';

type Fields = Record<string, unknown>;

/** A label as labelers send it. */
export function labelOf(fields: Fields = {}): Fields {
  return { ver: 1, src: LABELER, uri: SUBJECT, val: 'spam', cts: '2025-12-31T12:00:00.000Z', ...fields };
}

const frame = (header: Fields, body: unknown) => Buffer.concat([encode(header), encode(body)]);

export const labelsFrame = (seq: number, ...labels: unknown[]) =>
  frame({ op: 1, t: '#labels' }, { seq, labels });
export const infoFrame = (name: string) => frame({ op: 1, t: '#info' }, { name });
export const errorFrame = (error: string) => frame({ op: -1 }, { error, message: 'because' });
export const otherFrame = () => frame({ op: 1, t: '#other' }, {});

export interface SentFrame {
  /** A frame without labels is sent to every connection. */
  seq?: number;
  bytes: Uint8Array;
}

/** Frames of labels in order, each with one list. */
export function framesOf(...lists: readonly unknown[][]): SentFrame[] {
  return lists.map((labels, at) => ({ seq: at + 1, bytes: labelsFrame(at + 1, ...labels) }));
}

interface LabelerPlan {
  did?: string;
  /** Connection number n (from 0) is cut after so many frames. */
  cuts?: readonly number[];
}

export class TestLabeler implements AsyncDisposable {
  /** The cursors of the connections, in order; null without one. */
  readonly cursors: (string | null)[] = [];
  private readonly server: Bun.Server<string | null>;

  constructor(
    private readonly frames: readonly SentFrame[],
    private readonly plan: LabelerPlan = {},
  ) {
    this.server = Bun.serve<string | null>({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request, server) => this.answer(request, server),
      websocket: { open: (socket) => this.play(socket), message: () => {} },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** The options of the connector that reach it. */
  get options() {
    const { did = LABELER } = this.plan;
    return { labelers: [did], plc_url: this.url, handles_url: this.url, history: true };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server.stop(true);
  }

  private answer(request: Request, server: Bun.Server<string | null>): Response | undefined {
    const { pathname, searchParams } = new URL(request.url);
    const { did = LABELER } = this.plan;
    if (pathname === `/${did}`) {
      const service = [{ id: '#atproto_labeler', type: 'AtprotoLabeler', serviceEndpoint: this.url }];
      return Response.json({ id: did, service });
    }
    if (
      pathname === '/xrpc/com.atproto.identity.resolveHandle' &&
      searchParams.get('handle') === 'mod.example'
    )
      return Response.json({ did });
    if (pathname !== '/xrpc/com.atproto.label.subscribeLabels') return new Response('', { status: 404 });
    return server.upgrade(request, { data: searchParams.get('cursor') }) ? undefined : new Response('');
  }

  private play(socket: Bun.ServerWebSocket<string | null>): void {
    const number = this.cursors.push(socket.data) - 1;
    const cut = this.plan.cuts?.[number];
    const left = this.frames.filter(({ seq }) => seq === undefined || seq > Number(socket.data ?? 0));
    for (const { bytes } of left.slice(0, cut)) socket.sendBinary(bytes);
    if (cut !== undefined) socket.close();
  }
}
