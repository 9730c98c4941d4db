import { API_KEY } from './children.ts';

/** Called for each answer. `body` is '' unless it was requested. */
export type OnAnswer = (status: number, body: string) => void;

const HEAD_END = '\r\n\r\n';

/** A POST with a JSON body as bytes for the wire. The text must be ASCII. */
export function postText(path: string, body: object): string {
  const text = JSON.stringify(body);
  return (
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${API_KEY}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${text.length}${HEAD_END}${text}`
  );
}

/**
 * One keep-alive connection with one request at a time, with a minimal HTTP implementation.
 *
 * The load generator must cost less than the measured service. `fetch` takes as long as the service.
 */
export class Connection {
  private socket: Bun.Socket | undefined;
  private onAnswer: OnAnswer | undefined;
  private onFailure: ((error: Error) => void) | undefined;
  /** The reason why no more requests can be sent. */
  private failure: Error | undefined;
  private unsent = '';
  private head: Buffer | undefined;
  private status = 0;
  private keeps_body = false;
  private missing_bytes = 0;
  private parts: Buffer[] = [];

  private constructor() {}

  static async open(address: string): Promise<Connection> {
    const { hostname, port } = new URL(address);
    const connection = new Connection();
    const failed = (error: Error) => connection.fail(error);
    connection.socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_, chunk) => connection.receive(chunk),
        drain: () => connection.flush(),
        close: () => failed(new Error('the connection was closed')),
        error: (_, error) => failed(error),
      },
    });
    return connection;
  }

  /** @param keep_body whether the answer's body is needed; it is always kept for errors */
  send(request: string, keep_body: boolean, onAnswer: OnAnswer, onFailure: (error: Error) => void): void {
    this.onAnswer = onAnswer;
    this.onFailure = onFailure;
    if (this.failure !== undefined) {
      this.fail(this.failure);
      return;
    }
    this.keeps_body = keep_body;
    this.unsent = request;
    this.flush();
  }

  close(): void {
    this.onAnswer = undefined;
    this.onFailure = undefined;
    this.socket?.end();
  }

  private flush(): void {
    if (this.unsent === '' || this.socket === undefined) return;
    const written = this.socket.write(this.unsent);
    this.unsent = this.unsent.slice(Math.max(0, written));
  }

  private receive(chunk: Buffer): void {
    if (this.missing_bytes > 0) {
      this.take(chunk);
      return;
    }
    const head = this.head === undefined ? chunk : Buffer.concat([this.head, chunk]);
    const end = head.indexOf(HEAD_END);
    if (end < 0) {
      this.head = head;
      return;
    }
    this.head = undefined;
    const text = head.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(text);
    if (length === null) {
      this.fail(new Error(`an answer without a content-length: ${text}`));
      return;
    }
    this.status = Number(text.slice(9, 12));
    this.missing_bytes = Number(length[1]);
    this.take(head.subarray(end + HEAD_END.length));
  }

  private take(body: Buffer): void {
    this.missing_bytes -= body.length;
    if (this.keeps_body || this.status !== 200) this.parts.push(Buffer.from(body));
    if (this.missing_bytes > 0) return;
    const { onAnswer } = this;
    const text = this.parts.length > 0 ? Buffer.concat(this.parts).toString() : '';
    this.parts = [];
    this.onAnswer = undefined;
    onAnswer?.(this.status, text);
  }

  private fail(error: Error): void {
    const { onFailure } = this;
    this.failure = error;
    this.onAnswer = undefined;
    this.onFailure = undefined;
    onFailure?.(error);
  }
}
