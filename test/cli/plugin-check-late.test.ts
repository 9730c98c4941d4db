import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { checkPlugins } from '../../src/cli/plugins/check.ts';
import { folderWith } from '../interchange/support.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';
import { builtIn } from '../support/scene.ts';

const WAITING = `
import { defineFilter, definePlugin, Type } from 'feedloom/plugin';
export default definePlugin({
  meta: { name: 'late', version: '1.0.0', api: 2 },
  setup: (host) => void host.refresh('list', 60, () => new Promise(() => {})),
  filters: {
    'late/f': defineFilter({
      summary: 'All.',
      kind: 'inclusion',
      options: Type.Object({}),
      compile: () => () => () => true,
    }),
  },
});`;

/** Checks one file; the test controls the time. */
function checking(folder: string, file: string) {
  const lines: string[] = [];
  const timers = new ManualTimers();
  const print = (text: string) => void lines.push(text.trim());
  const checked = checkPlugins(builtIn(), [join(folder, file)], { timers, print }).catch((error) => error);
  return { lines, timers, checked };
}

test('a plugin whose setup never ends is reported, and fails after a minute', async () => {
  const folder = folderWith({ 'late.ts': WAITING });
  const { lines, timers, checked } = checking(folder, 'late.ts');
  while (!lines.some((line) => line.endsWith('(late 1.0.0)'))) await settled();
  await timers.pass(10);
  expect(lines.at(-1)).toBe('...   can be set up: it has not ended yet');
  await timers.pass(50);
  expect(await checked).toMatchObject({ code: 'plugin_check_failed', message: '1 of 1 checks failed' });
  expect(lines.slice(-2)).toEqual(['FAIL  can be set up', 'it has not ended after 60 s']);
  expect(timers.count).toBe(0);
});

test('a plugin whose file never finishes loading is reported, and fails after a minute', async () => {
  const folder = folderWith({ 'loading.ts': 'await new Promise(() => {}); export default {};' });
  const { lines, timers, checked } = checking(folder, 'loading.ts');
  await timers.pass(10);
  expect(lines).toEqual([expect.stringMatching(/loading\.ts: it has not ended yet$/)]);
  await timers.pass(50);
  expect(await checked).toMatchObject({ code: 'plugin_check_failed', message: '1 of 1 checks failed' });
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(/^FAIL .*loading\.ts can be loaded$/),
    'it has not ended after 60 s',
  ]);
  expect(timers.count).toBe(0);
});
