import { monotonicMs, systemTimers, type Timers } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';

/** Largest body that is passed to the runtime as a whole, bytes. The runtime buffers one per connection. */
const WHOLE_BYTES_MAX = 16 * 1024;
/** Above this number of unread small answers, further small ones are counted like large ones. */
const WHOLE_WAITING_MAX = 1_000;
/** Size of a chunk. The runtime may buffer one more, in addition to the kernel's buffer. */
const PIECE_BYTES = 64 * 1024;
/** A client that has read nothing for this long may be cut off when memory is short. */
const STALLED_MS = 1_000;
/** Seconds between two checks for slow clients. */
const CHECK_SECONDS = 1;
/** Shortest idle timeout of a connection that the runtime supports. */
const CLOSE_SECONDS = 1;

type Controller = Pick<ReadableStreamDefaultController<Uint8Array>, 'enqueue' | 'close'>;

/** The server that owns the connection of an answer. */
export interface Sender {
  /** Requests without an answer, or whose answer was not read completely. */
  readonly pendingRequests: number;
  timeout(request: Request, seconds: number): void;
}

export interface Recipient {
  request: Request;
  /** Undefined for a caller without a key. */
  account: string | undefined;
  /** Null if there is no connection, as in tests. */
  server: Sender | null;
}

/** An answer that the client has not read completely. */
class Unsent {
  taken = 0;
  /** When the last chunk was taken, or the answer created. */
  moved_ms: number;

  constructor(
    /** Undefined after the answer was cut off. */
    public bytes: Uint8Array<ArrayBuffer> | undefined,
    readonly to: Recipient,
    readonly since_ms: number,
  ) {
    this.moved_ms = since_ms;
  }

  get left(): number {
    return this.bytes === undefined ? 0 : this.bytes.byteLength - this.taken;
  }
}

/** The unsent answers of one account, or of all callers without a key. */
interface Group {
  bytes: number;
  /** Ordered by the time of the last read, oldest first. */
  answers: Set<Unsent>;
}

/**
 * Bounds the memory of answers that clients have not read yet, in total and per account.
 *
 * Bodies are passed to the runtime in chunks as the connection takes them, so the amount is known. A connection has at
 * most one answer. If a client reads too slowly, or reads nothing while others need the memory, its answer is cut off:
 * the memory is freed immediately and the connection is closed.
 */
export class UnsentAnswers {
  bytes = 0;
  count = 0;
  /** Answers cut off since the start. */
  readonly cut = { slow: 0, crowded: 0 };
  private readonly groups = new Map<string | undefined, Group>();
  private checking = false;

  constructor(
    private readonly under_way: () => number,
    private readonly timers: Timers = systemTimers,
    private readonly nowMs: () => number = monotonicMs,
  ) {}

  /**
   * Creates the response with this body.
   * @throws ServiceError `overloaded` for a large body if clients that do read use up the memory
   */
  respond(body: string | Uint8Array<ArrayBuffer>, init: ResponseInit, to: Recipient): Response {
    const is_small = body.length <= WHOLE_BYTES_MAX;
    if (body.length === 0 || (is_small && !this.isCrowded(to))) return new Response(body, init);
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    // The runtime never reads the body of an answer to HEAD, so it would count forever.
    if (to.request.method === 'HEAD') return new Response(bytes, init);
    if (!this.makeRoom(to.account, bytes.byteLength)) {
      // Errors must always get through, and are not much larger.
      if (is_small || (init.status ?? 200) >= 400) return new Response(bytes, init);
      throw tooMuch(to.account);
    }
    const answer = new Unsent(bytes, to, this.nowMs());
    const stream = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.handOver(answer, controller), cancel: () => this.end(answer) },
      { highWaterMark: 0 },
    );
    this.add(answer);
    return new Response(stream, init);
  }

  *requests(): Iterable<Request> {
    for (const { answers } of this.groups.values()) for (const { to } of answers) yield to.request;
  }

  private isCrowded({ server }: Recipient): boolean {
    if (server === null) return false;
    return server.pendingRequests - this.under_way() - this.count > WHOLE_WAITING_MAX;
  }

  private handOver(answer: Unsent, controller: Controller): void | Promise<void> {
    const { bytes, taken, to } = answer;
    // Never resolves: an end would make the body look complete. The connection is about to be closed.
    if (bytes === undefined) return new Promise(() => {});
    const piece = bytes.subarray(taken, taken + PIECE_BYTES);
    controller.enqueue(piece);
    const group = this.groups.get(to.account);
    group?.answers.delete(answer);
    group?.answers.add(answer);
    if (group !== undefined) group.bytes -= piece.byteLength;
    this.bytes -= piece.byteLength;
    answer.taken += piece.byteLength;
    answer.moved_ms = this.nowMs();
    if (answer.left > 0) return;
    this.end(answer);
    controller.close();
  }

  private add(answer: Unsent): void {
    const { account } = answer.to;
    const group = this.groups.get(account) ?? { bytes: 0, answers: new Set() };
    this.groups.set(account, group);
    group.answers.add(answer);
    group.bytes += answer.left;
    this.bytes += answer.left;
    this.count++;
    this.checkLater();
  }

  /** Makes room for an answer, if needed by cutting off stalled ones. @returns whether there is room */
  private makeRoom(account: string | undefined, bytes: number): boolean {
    const share = account === undefined ? LIMITS.keyless_share : LIMITS.account_share;
    const group = () => this.groups.get(account);
    while ((group()?.bytes ?? 0) + bytes > LIMITS.unsent_bytes_max * share)
      if (!this.cutStalled(group())) return false;
    while (this.bytes + bytes > LIMITS.unsent_bytes_max)
      if (!this.largestFirst().some((each) => this.cutStalled(each))) return false;
    return true;
  }

  private largestFirst(): Group[] {
    return [...this.groups.values()].sort((one, other) => other.bytes - one.bytes);
  }

  /** Cuts off the answer of a group that was read from longest ago. @returns whether it had stalled */
  private cutStalled(group: Group | undefined): boolean {
    const [first] = group?.answers ?? [];
    if (first === undefined || this.nowMs() - first.moved_ms < STALLED_MS) return false;
    this.cutOff(first, 'crowded');
    return true;
  }

  private cutOff(answer: Unsent, reason: keyof UnsentAnswers['cut']): void {
    const { server, request } = answer.to;
    this.end(answer);
    answer.bytes = undefined;
    this.cut[reason]++;
    server?.timeout(request, CLOSE_SECONDS);
  }

  private end(answer: Unsent): void {
    const { account } = answer.to;
    const group = this.groups.get(account);
    if (group === undefined || !group.answers.delete(answer)) return;
    group.bytes -= answer.left;
    this.bytes -= answer.left;
    this.count--;
    if (group.answers.size === 0) this.groups.delete(account);
  }

  private checkLater(): void {
    if (this.checking) return;
    this.checking = true;
    this.timers.after(CHECK_SECONDS, () => {
      this.checking = false;
      this.cutSlow();
      if (this.count > 0) this.checkLater();
    });
  }

  private cutSlow(): void {
    const now_ms = this.nowMs();
    const isSlow = ({ since_ms, taken }: Unsent) => {
      const worth_ms = (taken / LIMITS.answer_bytes_per_second_min) * 1000;
      return now_ms - since_ms >= LIMITS.answer_seconds * 1000 + worth_ms;
    };
    const all = [...this.groups.values()].flatMap(({ answers }) => [...answers]);
    for (const answer of all) if (isSlow(answer)) this.cutOff(answer, 'slow');
  }
}

function tooMuch(account: string | undefined): ServiceError {
  const whose = account === undefined ? 'callers without a key' : 'this account';
  const detail = `large answers to ${whose} wait to be read; read them and try again in a moment`;
  return new ServiceError('overloaded', detail, undefined, 1);
}
