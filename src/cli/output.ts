import { writeSync } from 'node:fs';
import { fileRefusal } from '../errors.ts';
import { printableLines } from '../printable.ts';

const STDOUT = 1;
/** Where a write fails instead of waiting for the reader, since whoever shares the pipe wants it so, it is tried again after this. */
const RETRY_MS = 10;
const BUSY: ReadonlySet<unknown> = new Set(['EAGAIN', 'EINTR']);
/** A socket says the latter when it had something to say itself. */
const CLOSED: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET']);

/** Whoever read what a command prints has read enough, as `head` has: no fault, and nothing to tell anybody. */
export class OutputClosed extends Error {
  constructor() {
    super('nobody reads what is printed');
    this.name = 'OutputClosed';
  }
}

/** Prints lines of a command's result, as `printText` does. @param lines the last one without its end */
export function print(lines: string): void {
  printText(`${lines}\n`);
}

/**
 * Writes to stdout, all of it, however slowly that is read. (`console` says nothing of what it could not write.) What would
 * control a terminal is escaped.
 * @throws OutputClosed; StartupError `cannot_write_output`, on a full disk for example
 */
export function printText(text: string): void {
  const bytes = Buffer.from(printableLines(text));
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(STDOUT, bytes, done);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (CLOSED.has(code)) throw new OutputClosed();
      if (!BUSY.has(code))
        throw fileRefusal('cannot_write_output', 'what is to be printed cannot be written to stdout', error);
      Bun.sleepSync(RETRY_MS);
    }
  }
}

/** Writes lines to stderr, likewise escaped. @param lines the last one without its end */
export function printNotice(lines: string): void {
  console.error(printableLines(lines));
}
