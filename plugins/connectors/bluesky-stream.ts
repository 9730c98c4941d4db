/** If more waits than this, the connection is closed, and opened again once everything is stored. */
const WAITING_LENGTH_MAX = 32_000_000;

/** The messages of one connection that have not been read yet. */
export class Messages {
  private waiting: string[] = [];
  private waiting_length = 0;
  private wake = (): void => {};
  private closed: string | undefined;
  /** Whether the server accepted the connection. */
  opened = false;
  /** Whether the connection was closed because too much waits. */
  overflowed = false;
  private readonly socket: WebSocket;

  constructor(
    url: URL,
    private readonly signal: AbortSignal,
  ) {
    this.socket = new WebSocket(url);
    this.socket.addEventListener('message', ({ data }) => this.add(data));
    this.socket.addEventListener('open', () => {
      this.opened = true;
    });
    this.socket.addEventListener('error', (event) => this.end(failureIn(event)));
    this.socket.addEventListener('close', ({ code, reason }) =>
      this.end(`the connection was closed (code ${code})${reason === '' ? '' : `: ${reason}`}`),
    );
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

function failureIn(event: Event): string {
  const message = 'message' in event && typeof event.message === 'string' ? event.message : '';
  return message === '' ? 'the connection failed' : message;
}
