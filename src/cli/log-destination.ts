import { writeSync } from 'node:fs';
import pino, { type DestinationStream } from 'pino';
import { systemClock } from '../clock.ts';
import { printableLines } from '../printable.ts';
import { withoutWaiting } from './without-waiting.ts';

/** A reader that is behind is waited for so long at a time, … */
const WAIT_MS = 10;
/** … half a second in a row, and again only when it has read as many bytes as a time costs. */
const WAITS_MAX = 50;
const WAIT_COST_BYTES = 20_480;
const CREDIT_BYTES_MAX = WAITS_MAX * WAIT_COST_BYTES;
const BUSY: ReadonlySet<unknown> = new Set(['EAGAIN', 'EINTR']);

/**
 * Where a log goes, line by line, in order and at once. What cannot be written, on a full disk for example, is lost and
 * counted, and whoever logs is not told, nor kept for long by a reader that is behind: no answer depends on it. The log
 * tells how many lines it lacks where they are missing. A line that was begun is ended before another follows.
 */
export class LogDestination implements DestinationStream {
  /** Lines lost since the start. */
  lines_lost = 0;
  /** Of these, what the log does not tell yet. */
  private untold = 0;
  /** Of the last line, what is not written yet. */
  private rest: Uint8Array = new Uint8Array();
  /** What waits can be paid with. */
  private credit_bytes = CREDIT_BYTES_MAX;
  private readonly descriptor: number;

  /** @param descriptor an open file, pipe, terminal or socket */
  constructor(descriptor: number) {
    this.descriptor = withoutWaiting(descriptor);
  }

  /** @param line with its end */
  write(line: string): void {
    if (this.rest.length > 0) this.rest = this.put(this.rest);
    if (this.rest.length === 0) {
      const bytes = Buffer.from(
        this.untold === 0 ? printableLines(line) : `${this.note()}${printableLines(line)}`,
      );
      const rest = this.put(bytes);
      if (rest.length < bytes.length) {
        this.rest = rest;
        this.untold = 0;
        return;
      }
    }
    this.untold++;
    this.lines_lost++;
  }

  private note(): string {
    const time = Math.round(systemClock.now() * 1000);
    const msg = 'lines before this one are missing: they could not be written';
    return `${JSON.stringify({ level: pino.levels.values.warn, time, lines_lost: this.untold, msg })}\n`;
  }

  /** Writes as much as can be. @returns the rest */
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
