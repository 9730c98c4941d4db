import type { Timers } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { Recipient } from './unsent-answers.ts';

/** Shortest idle timeout of a connection that the runtime supports. */
const CLOSE_SECONDS = 1;

/** An answer that is produced while it is sent. */
export class Streamed {
  /** @param stop aborts the producer when the client disconnects */
  constructor(
    readonly chunks: AsyncGenerator<string>,
    readonly type: string,
    readonly stop: AbortController,
  ) {}
}

/**
 * Sends answers that are produced while they are sent.
 *
 * A chunk is produced when the client has taken the last one, so little memory is used. If the client reads too slowly,
 * or the answer cannot be completed, the connection is closed without the end of the body.
 */
export class StreamedAnswers {
  count = 0;
  private readonly counts = new Map<string | undefined, number>();

  /** @param onFailed called with the reason when an answer could not be completed */
  constructor(
    private readonly timers: Timers,
    private readonly nowMs: () => number,
    private readonly onFailed: (error: unknown) => void,
  ) {}

  /** @throws ServiceError `overloaded` if too many answers are being streamed, in total or to the account */
  respond({ chunks, stop }: Streamed, init: ResponseInit, to: Recipient): Response {
    this.add(to.account, 1);
    const encoder = new TextEncoder();
    const reader = new Reader(this.timers, this.nowMs, () => cut());
    let is_over = false;
    const end = (): void => {
      reader.stop();
      if (is_over) return;
      is_over = true;
      this.add(to.account, -1);
      stop.abort();
      chunks.return(undefined).catch(() => {});
    };
    const cut = (): void => {
      end();
      to.server?.timeout(to.request, CLOSE_SECONDS);
    };
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      reader.stop();
      try {
        const { value, done } = await chunks.next();
        if (done) {
          end();
          controller.close();
          return;
        }
        const bytes = encoder.encode(value);
        controller.enqueue(bytes);
        if (!is_over) reader.waitFor(bytes.byteLength);
      } catch (error) {
        if (!is_over) this.onFailed(error);
        cut();
        controller.error(error);
      }
    };
    reader.waitFor(0);
    return new Response(new ReadableStream<Uint8Array>({ pull, cancel: end }, { highWaterMark: 0 }), init);
  }

  private add(account: string | undefined, by: number): void {
    const count = (this.counts.get(account) ?? 0) + by;
    if (by > 0 && count > LIMITS.streams_max * LIMITS.account_share) throw tooMany('to this account ');
    if (by > 0 && this.count >= LIMITS.streams_max) throw tooMany('');
    this.count += by;
    if (count > 0) this.counts.set(account, count);
    else this.counts.delete(account);
  }
}

/** The time that a client may leave chunks unread: less by each wait, more by each byte. */
class Reader {
  private patience_ms = LIMITS.stalled_stream_seconds * 1000;
  private since_ms: number | undefined;
  private cancel = (): void => {};

  constructor(
    private readonly timers: Timers,
    private readonly nowMs: () => number,
    private readonly onLate: () => void,
  ) {}

  /** The client has been given a chunk of this size. */
  waitFor(bytes: number): void {
    const worth_ms = (bytes / LIMITS.answer_bytes_per_second_min) * 1000;
    this.patience_ms = Math.min(LIMITS.stalled_stream_seconds * 1000, this.patience_ms + worth_ms);
    this.since_ms = this.nowMs();
    this.cancel = this.timers.after(Math.max(0, this.patience_ms / 1000), this.onLate);
  }

  /** The client has taken the chunk. The time until the next one is the service's own. */
  stop(): void {
    this.cancel();
    if (this.since_ms !== undefined) this.patience_ms -= this.nowMs() - this.since_ms;
    this.since_ms = undefined;
  }
}

function tooMany(whom: string): ServiceError {
  return new ServiceError(
    'overloaded',
    `too many streamed answers are being sent ${whom}(${LIMITS.streams_max} at most, half of them to one account); read them, and try again in a moment`,
    undefined,
    1,
  );
}
