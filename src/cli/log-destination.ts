import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { systemClock } from '../clock.ts';
import { printableLines } from '../printable.ts';
import { withoutWaiting } from './without-waiting.ts';

/** Time of one wait for a slow reader, … */
const WAIT_MS = 10;
/** … and the maximum number of waits in a row, which is half a second. Later waits require that bytes were read. */
const WAITS_MAX = 50;
const WAIT_COST_BYTES = 20_480;
const CREDIT_BYTES_MAX = WAITS_MAX * WAIT_COST_BYTES;
/** The number of pino's level `warn`. */
const WARN = 40;
const BUSY: ReadonlySet<unknown> = new Set(['EAGAIN', 'EINTR']);

/**
 * Writes log lines to a file or pipe, in order and synchronously.
 *
 * Lines that cannot be written, for example on a full disk, are dropped and counted. Callers never fail and wait only
 * briefly for a slow reader, so no answer depends on the log. The log itself says where lines are missing. A line that
 * was written in part is completed before the next one.
 */
export class LogDestination implements DestinationStream {
  /** Lines lost since the start. */
  lines_lost = 0;
  /** Lost lines that the log does not mention yet. */
  private unreported = 0;
  /** Unwritten rest of the last line. */
  private rest: Uint8Array = new Uint8Array();
  /** Budget for waits. Written bytes refill it. */
  private credit_bytes = CREDIT_BYTES_MAX;
  /** Does not block. */
  readonly descriptor: number;

  /** @param descriptor an open file, pipe, terminal or socket */
  constructor(descriptor: number) {
    this.descriptor = withoutWaiting(descriptor);
  }

  /** @param line text including the line end */
  write(line: string): void {
    if (this.rest.length > 0) this.rest = this.put(this.rest);
    if (this.rest.length === 0) {
      const bytes = Buffer.from(
        this.unreported === 0 ? printableLines(line) : `${this.note()}${printableLines(line)}`,
      );
      const rest = this.put(bytes);
      if (rest.length < bytes.length) {
        this.rest = rest;
        this.unreported = 0;
        return;
      }
    }
    this.unreported++;
    this.lines_lost++;
  }

  private note(): string {
    const time = Math.round(systemClock.now() * 1000);
    const msg = 'lines before this one are missing: they could not be written';
    return `${JSON.stringify({ level: WARN, time, lines_lost: this.unreported, msg })}\n`;
  }

  /** Writes as much as possible. @returns the rest */
  private put(bytes: Uint8Array): Uint8Array {
    let done = 0;
    while (done < bytes.length) {
      try {
        done += writeSync(this.descriptor, bytes, done, bytes.length - done);
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (!BUSY.has(code) || this.credit_bytes < WAIT_COST_BYTES) break;
        this.credit_bytes -= WAIT_COST_BYTES;
        Bun.sleepSync(WAIT_MS);
      }
    }
    this.credit_bytes = Math.min(CREDIT_BYTES_MAX, this.credit_bytes + done);
    return bytes.subarray(done);
  }
}
