import { type OpenSocket, openSocket } from 'feedloom/plugin';

/** If more waits than this, the connection is closed, and opened again once everything is stored. */
const WAITING_LENGTH_MAX = 32_000_000;

/** What is read of a message, and how much may wait. */
interface Reading<T> {
  read(data: unknown): T;
  length_max: number;
  unit: string;
}

const AS_TEXT: Reading<string> = {
  read: (data) => (typeof data === 'string' ? data : '(binary message)'),
  length_max: WAITING_LENGTH_MAX,
  unit: 'characters',
};
/** What a message counts besides its characters: also an empty one takes memory and time. */
const MESSAGE_LENGTH = 100;
/** Messages are stored together until there are so many, or until so much time has passed. A transaction is costly. */
const GATHERED_MESSAGES = 200;
const GATHER_MS = 50;

/** The messages of one connection that have not been read yet. */
export class Messages<T extends { readonly length: number } = string> {
  private waiting: T[] = [];
  private waiting_length = 0;
  private is_ready = false;
  private wake = (): void => {};
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed: string | undefined;
  /** Whether the server accepted the connection. */
  opened = false;
  /** Whether the connection was closed because too much waits. */
  overflowed = false;
  private readonly socket: OpenSocket;

  constructor(
    url: URL,
    private readonly signal: AbortSignal,
    private readonly reading: Reading<T>,
  ) {
    this.socket = openSocket(url);
    this.socket.binaryType = 'arraybuffer';
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

  static ofText(url: URL, signal: AbortSignal): Messages {
    return new Messages(url, signal, AS_TEXT);
  }

  /** Whether further messages came since the last call of `next`. */
  get is_behind(): boolean {
    return this.overflowed || this.waiting.length > 0;
  }

  /** Some messages that came since the last call, at least one. @throws Error when the connection has ended */
  async next(): Promise<T[]> {
    this.signal.throwIfAborted();
    if (!this.is_ready && this.closed === undefined)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    this.signal.throwIfAborted();
    const { waiting } = this;
    if (waiting.length === 0) throw new Error(this.closed);
    this.waiting = [];
    this.waiting_length = 0;
    this.is_ready = false;
    return waiting;
  }

  readonly close = (): void => {
    this.signal.removeEventListener('abort', this.close);
    // A server that goes on sending would delay the end of a polite close.
    this.socket.terminate();
    this.end('the connection was closed');
  };

  private add(data: unknown): void {
    if (this.closed !== undefined) return;
    const message = this.reading.read(data);
    const { length_max, unit } = this.reading;
    if (message.length > length_max) {
      // Opened again, the connection would bring the same message.
      this.end(`the server sent a message of ${message.length} ${unit}`);
      this.close();
      return;
    }
    this.waiting.push(message);
    this.waiting_length += MESSAGE_LENGTH + message.length;
    if (this.waiting_length > length_max) {
      this.overflowed = true;
      this.close();
    } else if (this.waiting.length >= GATHERED_MESSAGES) this.ready();
    else this.timer ??= setTimeout(() => this.ready(), GATHER_MS);
  }

  private ready(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.is_ready = true;
    this.wake();
  }

  private end(reason: string): void {
    this.closed ??= reason;
    this.ready();
  }
}

function failureIn(event: Event): string {
  return 'message' in event && typeof event.message === 'string' && event.message !== ''
    ? event.message
    : 'the connection failed';
}
