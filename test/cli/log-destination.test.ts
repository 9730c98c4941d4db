import { describe, expect, spyOn, test } from 'bun:test';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { LogDestination } from '../../src/cli/log-destination.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder('log');

/** A non-blocking pipe with a limited buffer. */
class FullPipe implements Disposable {
  readonly descriptor: number;

  constructor(name: string) {
    const path = join(folder, name);
    Bun.spawnSync(['mkfifo', path]);
    this.descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  }

  /** Bytes written so far. */
  read(): string {
    const parts: Buffer[] = [];
    try {
      for (;;) {
        const part = Buffer.alloc(65_536);
        parts.push(part.subarray(0, readSync(this.descriptor, part)));
      }
    } catch {
      return Buffer.concat(parts).toString();
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.descriptor);
  }
}

/** A numbered line; long ones do not fit the pipe as a whole. */
const line = (at: number, length: number) => `${JSON.stringify({ at, text: 'ö'.repeat(length) })}\n`;

// Non-blocking pipes are opened in this way on Linux.
describe.skipIf(process.platform !== 'linux')('log lines that cannot be written', () => {
  for (const length of [100, 5_000, 200_000]) {
    test(`lost log lines are reported where they are missing, with lines of ${length} letters`, () => {
      using pipe = new FullPipe(`lines-${length}`);
      const log = new LogDestination(pipe.descriptor);
      let at = 0;
      let text = '';
      for (let round = 0; round < 3; round++) {
        const before = log.lines_lost;
        while (log.lines_lost < before + 3) log.write(line(at++, length));
        text += pipe.read();
        // A line longer than the pipe needs several reads.
        for (let last = log.lines_lost; ; last = log.lines_lost) {
          log.write(line(at++, 1));
          text += pipe.read();
          if (log.lines_lost === last) break;
        }
      }
      expect(text.endsWith('\n')).toBe(true);
      let next = 0;
      let lost = 0;
      for (const each of text.trimEnd().split('\n')) {
        const said = JSON.parse(each);
        if (said.lines_lost === undefined) expect(said.at).toBe(next++);
        else {
          expect(said).toMatchObject({ level: 40, time: expect.any(Number) });
          next += said.lines_lost;
          lost += said.lines_lost;
        }
      }
      expect([next, lost]).toEqual([at, log.lines_lost]);
      expect(lost).toBeGreaterThanOrEqual(9);
    });
  }

  test('a slow reader of the log delays the service only briefly', () => {
    using pipe = new FullPipe('slow');
    const log = new LogDestination(pipe.descriptor);
    // A reader that returns right before each timeout, and then reads 4 KiB.
    let waits = 0;
    const sleeping = spyOn(Bun, 'sleepSync').mockImplementation(() => {
      if (waits++ % 40 === 39) readSync(pipe.descriptor, Buffer.alloc(4_096));
    });
    try {
      for (let at = 0; at < 10_000; at++) log.write(line(at, 100));
      const at_first = waits;
      pipe.read();
      for (let at = 0; at < 10_000; at++) log.write(line(at, 100));
      expect(at_first).toBe(50);
      expect(waits - at_first).toBeLessThan(10);
    } finally {
      sleeping.mockRestore();
    }
  });

  test('a lost log line causes no error in the caller', () => {
    const full = openSync('/dev/full', 'w');
    const log = new LogDestination(full);
    for (let at = 0; at < 10; at++) log.write(line(at, 10));
    closeSync(full);
    log.write(line(10, 10));
    expect(log.lines_lost).toBe(11);
  });
});
