import { writeSync } from 'node:fs';
import { fileRefusal } from '../errors.ts';
import { printableLines } from '../printable.ts';

const STDOUT = 1;
/** Delay before a write is repeated. Another process may have set the shared pipe to non-blocking. */
const RETRY_MS = 10;
const BUSY: ReadonlySet<unknown> = new Set(['EAGAIN', 'EINTR']);
/** Errors of a closed reader. A socket reports the latter if its peer has unread data. */
const CLOSED: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET']);

/** The reader of the output has closed it, as `head` does. This is not a failure and is not reported. */
export class OutputClosed extends Error {
  constructor() {
    super('the reader of the output has closed it');
    this.name = 'OutputClosed';
  }
}

/** The command has printed why it ends with this exit code. */
export class Printed extends Error {
  constructor(readonly code: number) {
    super(`the command ends with ${code}`);
  }
}

/** Prints the result of a command, like `printText`. @param lines text without the last line end */
export function print(lines: string): void {
  printText(`${lines}\n`);
}

/**
 * Writes a whole text to stdout, however slowly it is read. Control characters are escaped.
 *
 * `console` would drop what it cannot write.
 * @throws OutputClosed; StartupError `cannot_write_output`, for example on a full disk
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
        throw fileRefusal('cannot_write_output', 'the output cannot be written to stdout', error);
      Bun.sleepSync(RETRY_MS);
    }
  }
}

/** Writes lines to stderr, also escaped. @param lines text without the last line end */
export function printNotice(lines: string): void {
  console.error(printableLines(lines));
}
