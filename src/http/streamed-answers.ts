import type { Timers } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
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
 * A chunk is produced when the client has taken the last one, so little memory is used. If the client stops reading, or
 * the answer cannot be completed, the connection is closed without the end of the body.
 */
export class StreamedAnswers {
  count = 0;

  /** @param onFailed called with the reason when an answer could not be completed */
  constructor(
    private readonly timers: Timers,
    private readonly onFailed: (error: unknown) => void,
  ) {}

  /** @throws ServiceError `overloaded` if too many answers are being streamed */
  respond({ chunks, stop }: Streamed, init: ResponseInit, to: Recipient): Response {
    if (this.count >= LIMITS.streams_max) throw tooMany();
    const encoder = new TextEncoder();
    let is_over = false;
    let cancelStall = (): void => {};
    const end = (): void => {
      cancelStall();
      if (is_over) return;
      is_over = true;
      this.count--;
      stop.abort();
      chunks.return(undefined).catch(() => {});
    };
    const cut = (): void => {
      end();
      to.server?.timeout(to.request, CLOSE_SECONDS);
    };
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      cancelStall();
      try {
        const { value, done } = await chunks.next();
        if (done) {
          end();
          controller.close();
          return;
        }
        controller.enqueue(encoder.encode(value));
        cancelStall = this.timers.after(LIMITS.stalled_stream_seconds, cut);
      } catch (error) {
        if (!is_over) this.onFailed(error);
        cut();
        controller.error(error);
      }
    };
    this.count++;
    cancelStall = this.timers.after(LIMITS.stalled_stream_seconds, cut);
    return new Response(new ReadableStream<Uint8Array>({ pull, cancel: end }, { highWaterMark: 0 }), init);
  }
}

function tooMany(): ServiceError {
  return new ServiceError(
    'overloaded',
    'too many streamed answers are being sent; try again in a moment',
    undefined,
    1,
  );
}
