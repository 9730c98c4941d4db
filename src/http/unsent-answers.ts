import { monotonicMs, systemTimers, type Timers } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

/** A body up to this is handed over whole: what its client has not taken of it is up to the runtime, which holds one a connection. */
const WHOLE_BYTES_MAX = 16 * 1024;
/** With more answers handed over whole that wait for their clients, further ones are counted like large ones. */
const WHOLE_WAITING_MAX = 1_000;
/** Handed over at a time; as much may wait in the runtime beside what the kernel holds. */
const PIECE_BYTES = 64 * 1024;
/** A client that has taken nothing for so long makes room for others when there is none. */
const STALLED_MS = 1_000;
/** From one look for clients that read too slowly to the next. */
const LOOK_SECONDS = 1;
/** The least that the runtime takes for a time after which it closes a connection on which nothing moves. */
const CLOSE_SECONDS = 1;

type Controller = Pick<ReadableStreamDefaultController<Uint8Array>, 'enqueue' | 'close'>;

/** The server whose connection an answer goes to. */
export interface Sender {
  /** Requests that have no answer, or whose answer waits for its client. */
  readonly pendingRequests: number;
  timeout(request: Request, seconds: number): void;
}

/** Where an answer goes. */
export interface Recipient {
  request: Request;
  /** Undefined for a caller without a key. */
  account: string | undefined;
  /** Null where there is no connection, as in tests. */
  server: Sender | null;
}

/** An answer of which the client has not taken all. */
class Unsent {
  taken = 0;
  /** When the last piece was taken, or the answer made. */
  moved_ms: number;

  constructor(
    /** Undefined once it is cut. */
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
  /** The one that was taken from longest ago comes first. */
  answers: Set<Unsent>;
}

/**
 * Bodies of answers that their clients have not taken yet. They are handed to the runtime piece by piece, whenever the connection
 * takes more, so that what is held is known: it is bounded in all and by account, and a connection has one at most. When a
 * client reads too slowly, or takes nothing while others need the room, its answer is cut: the memory is given back at once and the
 * connection closed.
 */
export class UnsentAnswers {
  bytes = 0;
  count = 0;
  /** Answers cut since the start. */
  readonly cut = { slow: 0, crowded: 0 };
  private readonly groups = new Map<string | undefined, Group>();
  private looking = false;

  /** @param under_way requests that have no answer yet */
  constructor(
    private readonly under_way: () => number,
    private readonly timers: Timers = systemTimers,
    private readonly nowMs: () => number = monotonicMs,
  ) {}

  /**
   * The answer with this body, as the runtime takes it.
   * @throws ServiceError `overloaded` for a large one when too much waits for clients that do read
   */
  respond(body: string | Uint8Array<ArrayBuffer>, init: ResponseInit, to: Recipient): Response {
    const is_small = body.length <= WHOLE_BYTES_MAX;
    if (body.length === 0 || (is_small && !this.isCrowded(to))) return new Response(body, init);
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    // The runtime asks for nothing of the body then.
    if (to.request.method === 'HEAD') return new Response(bytes, init);
    if (!this.makeRoom(to.account, bytes.byteLength)) {
      // Problems must be told, and none of them is much larger.
      if (is_small || (init.status ?? 200) >= 400) return new Response(bytes, init);
      throw tooMuch(to.account);
    }
    const answer = new Unsent(bytes, to, this.nowMs());
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => this.handOver(answer, controller),
        cancel: () => this.end(answer),
      },
      { highWaterMark: 0 },
    );
    this.add(answer);
    return new Response(stream, init);
  }

  /** Requests whose answers these are. */
  *requests(): Iterable<Request> {
    for (const { answers } of this.groups.values()) for (const { to } of answers) yield to.request;
  }

  private isCrowded({ server }: Recipient): boolean {
    if (server === null) return false;
    return server.pendingRequests - this.under_way() - this.count > WHOLE_WAITING_MAX;
  }

  private handOver(answer: Unsent, controller: Controller): void | Promise<void> {
    const { bytes, taken, to } = answer;
    // Neither goes on nor ends, which would look complete: its connection is about to be closed.
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
    this.lookLater();
  }

  /** Whether there is room for so many bytes, if need be by cutting answers that are not read. */
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

  /** Cuts the answer of a group that was taken from longest ago. @returns whether that is long enough ago */
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

  private lookLater(): void {
    if (this.looking) return;
    this.looking = true;
    this.timers.after(LOOK_SECONDS, () => {
      this.looking = false;
      this.cutSlow();
      if (this.count > 0) this.lookLater();
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
