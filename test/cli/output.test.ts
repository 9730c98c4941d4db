import { describe, expect, test } from 'bun:test';
import { closeSync, constants, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fromCLibrary } from '../../src/platform/c-library.ts';
import { actsCsv, itemsJsonl, START } from '../evaluate/support.ts';
import { CleanUp } from '../support/clean-up.ts';
import { environment, feedloom } from '../support/feedloom.ts';
import { type Ran, run } from './run.ts';

/** Capacity of a pipe. */
const PIPE_BYTES = 65_536;
const FIONREAD = 0x541b;

const left = new CleanUp('feedloom-output-');
const { folder } = left;
const files = join(folder, 'files');
const data = ['--data', join(folder, 'data')];

/** Both ends of a pipe, neither of which blocks. */
function pipe(name: string): { read_end: number; write_end: number } {
  const path = join(folder, name);
  Bun.spawnSync(['mkfifo', path]);
  const read_end = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { read_end, write_end: left.opened(path, constants.O_WRONLY | constants.O_NONBLOCK) };
}

/** Starts a command that prints to a descriptor of this process. */
function startTo(stdout: number, ...args: string[]): Bun.Subprocess<'ignore', number, 'pipe'> {
  return Bun.spawn([feedloom(), ...args], { env: environment(), stdin: 'ignore', stdout, stderr: 'pipe' });
}

async function runTo(stdout: number, ...args: string[]): Promise<Omit<Ran, 'stdout'>> {
  const child = startTo(stdout, ...args);
  const [stderr, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  return { code, stderr };
}

const keys = async () => (await run('keys', 'list', ...data)).stdout;

// Full disks and pipe sizes need Linux.
describe.skipIf(process.platform !== 'linux')('the output of a command', () => {
  const NO_ROOM = {
    code: 2,
    stderr:
      'feedloom: the output cannot be written to stdout: ENOSPC: no space left on device, write [cannot_write_output]\n  Free some space there, or choose another place.\n',
  };

  test.each(['--version', 'keys --help', 'openapi', 'plugins list', 'plugins types', 'plugins doc'])(
    'a command fails if the disk has no room for its output: %s',
    async (command) => {
      expect(await runTo(left.opened('/dev/full', constants.O_WRONLY), ...command.split(' '))).toEqual(
        NO_ROOM,
      );
    },
  );

  test('a command that has changed something still fails if its output cannot be written', async () => {
    Bun.spawnSync(['mkdir', files]);
    writeFileSync(
      join(files, 'items.jsonl'),
      itemsJsonl([
        ['a', 0],
        ['b', 0],
        ['c', 0],
      ]),
    );
    writeFileSync(
      join(files, 'interactions.csv'),
      actsCsv([
        ['u', 'a', 1],
        ['u', 'b', 2],
        ['v', 'c', 3],
        ['u', 'c', 4],
      ]),
    );
    const full = left.opened('/dev/full', constants.O_WRONLY);
    const imported = await runTo(full, 'import', files, ...data);
    expect([imported.code, imported.stderr.endsWith(NO_ROOM.stderr)]).toEqual([2, true]);
    expect(await runTo(full, 'export', join(folder, 'exported'), ...data)).toEqual(NO_ROOM);
    expect(await runTo(full, 'backup', join(folder, 'copy.sqlite'), ...data)).toEqual(NO_ROOM);
    const evaluation = ['evaluate', 'replay', '--data', files, '--from', String(START + 3), '--json'];
    expect(await runTo(full, ...evaluation)).toEqual(NO_ROOM);
  });

  test('a new key is printed before it is valid', async () => {
    const create = ['keys', 'create', '--account', 'acme', ...data];
    expect((await run(...create)).code).toBe(0);
    const first = await keys();
    expect(first).toEndWith('\tactive\n');
    const full = left.opened('/dev/full', constants.O_WRONLY);
    expect(await runTo(full, ...create)).toEqual(NO_ROOM);
    const { read_end, write_end } = pipe('unread');
    closeSync(read_end);
    expect(await runTo(write_end, ...create)).toEqual({ code: 141, stderr: '' });
    const listed = await keys();
    expect(listed).toContain(first);
    expect(listed.slice(first.length)).not.toContain('active');
    expect(await runTo(full, 'keys', 'list', ...data)).toEqual(NO_ROOM);
  });

  test('a command ends silently when the reader of its output closes it', async () => {
    const piped = '{ "$@"; echo "ended with $?" >&2; } | head -1';
    const child = Bun.spawn(['sh', '-c', piped, 'sh', feedloom(), 'openapi'], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    expect(await new Response(child.stdout).text()).toBe('{\n');
    expect(await new Response(child.stderr).text()).toBe('ended with 141\n');
  });

  test('a slow reader gets the whole output, also where writes do not block', async () => {
    const library = fromCLibrary({ ioctl: { args: ['i32', 'u64', 'ptr'], returns: 'i32' } });
    const { read_end, write_end } = pipe('slow');
    left.atEnd(() => closeSync(read_end));
    const child = startTo(write_end, 'openapi');
    left.atEnd(() => child.kill('SIGKILL'));
    const waiting = new Int32Array(1);
    const parts: Buffer[] = [];
    do {
      // The reader starts when the pipe is full.
      do {
        library?.ioctl(read_end, FIONREAD, waiting);
        await nextTurn();
      } while (waiting[0] < PIPE_BYTES && child.exitCode === null);
      library?.ioctl(read_end, FIONREAD, waiting);
      const part = Buffer.alloc(waiting[0]);
      if (part.length > 0) parts.push(part.subarray(0, readSync(read_end, part)));
    } while (child.exitCode === null || waiting[0] > 0);
    const text = Buffer.concat(parts).toString();
    expect(text.length).toBeGreaterThan(4 * PIPE_BYTES);
    expect(text).toBe((await run('openapi')).stdout);
    expect([child.exitCode, await new Response(child.stderr).text()]).toEqual([0, '']);
  });
});
