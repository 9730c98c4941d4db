/** A request in bytes. Header names and values and the target must be valid HTTP. */
export interface SentRequest {
  method: string;
  /** Path and query, as sent. */
  target: string;
  headers: [string, string][];
  /** Base64, so that the corpus can contain any bytes. Undefined: no body. */
  body?: string;
}

export interface Answer {
  status: number;
  headers: Map<string, string>;
  text: string;
}

/** Timeout; an answer takes milliseconds. */
const TIMEOUT_MS = 20_000;

/** Sends a request on a new connection and reads until it is closed. */
export async function send(address: string, request: SentRequest): Promise<Answer> {
  const body = request.body === undefined ? undefined : Buffer.from(request.body, 'base64');
  const lines = [
    `${request.method} ${request.target} HTTP/1.1`,
    `host: ${new URL(address).host}`,
    'connection: close',
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`content-length: ${body.length}`]),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return parsed(await exchange(address, body === undefined ? head : Buffer.concat([head, body])));
}

/** Sends bytes and reads until the other side closes. @throws Error on timeout */
export async function exchange(
  address: string,
  bytes: Uint8Array,
  patience_ms = TIMEOUT_MS,
): Promise<Buffer> {
  const { hostname, port } = new URL(address);
  const received: Uint8Array[] = [];
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let left = bytes;
  const write = (socket: Bun.Socket): void => {
    left = left.subarray(socket.write(left));
  };
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: write,
      drain: write,
      data: (_, chunk) => void received.push(Uint8Array.from(chunk)),
      close: () => resolve(),
      error: (_, error) => reject(error),
    },
  });
  const late = setTimeout(() => reject(new Error(`no answer within ${patience_ms} ms`)), patience_ms);
  try {
    await ended;
    return Buffer.concat(received);
  } finally {
    clearTimeout(late);
    socket.terminate();
  }
}

function parsed(bytes: Buffer): Answer {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.toString('latin1', 0, Math.max(0, end)).split('\r\n');
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const rest = bytes.subarray(end + 4);
  const body = headers.get('transfer-encoding') === 'chunked' ? dechunked(rest) : rest;
  return { status: Number(first.split(' ')[1] ?? 0), headers, text: body.toString('utf8') };
}

function dechunked(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (!(length > 0)) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}
