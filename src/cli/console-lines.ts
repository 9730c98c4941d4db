import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { format } from 'node:util';
import type { Logger } from 'pino';

type Level = 'debug' | 'info' | 'warn' | 'error';

/**
 * Redirects `console` output of plugins to the log, marked `source: "console"`.
 *
 * Unredirected, a write would block the whole process until it is read, and mix with the JSON lines of the log.
 * @returns a function that restores `console`
 */
export function logConsole(log: Logger): () => void {
  const logLine = (level: Level, text: string) => log[level]({ source: 'console' }, text.replace(/\n$/, ''));
  const linesOf = (level: Level) =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        logLine(level, text);
        done();
      },
    });
  const consoleAt = (level: Level) => new Console({ stdout: linesOf(level), stderr: linesOf('warn') });
  const former = { ...console };
  Object.assign(console, consoleAt('info'), {
    debug: consoleAt('debug').log,
    error: consoleAt('error').log,
    // Bun's own `console.trace` prints the place but not the message.
    trace: (...args: unknown[]) => logLine('warn', `${format(...args)}\n${placeOf()}`),
    write(...parts: (string | ArrayBufferView | ArrayBuffer)[]): number {
      const bytes = Buffer.concat(parts.map(bytesOf));
      logLine('info', bytes.toString());
      return bytes.length;
    },
  });
  return () => Object.assign(console, former);
}

function bytesOf(part: string | ArrayBufferView | ArrayBuffer): Buffer {
  if (typeof part === 'string') return Buffer.from(part);
  return ArrayBuffer.isView(part)
    ? Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    : Buffer.from(part);
}

/** The stack at the call of `console.trace`. */
function placeOf(): string {
  return String(new Error().stack).split('\n').slice(3).join('\n');
}
