import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { openService } from '../../src/service.ts';
import { readSettings } from '../../src/settings.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';

test('loading a file that never ends logs warnings at intervals until the service is told to stop', async () => {
  const folder = temporaryFolder('slow');
  const file = join(folder, 'endless.ts');
  writeFileSync(file, 'await new Promise(() => {});');
  const timers = new ManualTimers();
  const stopping = new AbortController();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const settings = { ...readSettings({}), data: join(folder, 'data'), plugins: file };
  const options = { command: 'test', monotonicMs: () => 0, timers, log, stopping: stopping.signal };
  const opening = openService(settings, options).catch((reason: Error) => reason.message);
  while (timers.count === 0) await settled();
  await timers.pass(25);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    new Array(2).fill({ level: 40, source: file, msg: 'the plugin is still being loaded' }),
  );
  stopping.abort(new Error('SIGTERM'));
  expect(await opening).toBe('SIGTERM');
});
