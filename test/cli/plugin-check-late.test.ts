import { expect, spyOn, test } from 'bun:test';
import { join } from 'node:path';
import { checkPlugins } from '../../src/cli/plugins/check.ts';
import { withFolder } from '../ingest/interchange/support.ts';
import { ManualTimers, settled } from '../support/manual-timers.ts';
import { builtIn } from '../support/scene.ts';

const WAITING = `
import { defineFilter, definePlugin, PLUGIN_API, Type } from 'feedloom/plugin';
export default definePlugin({
  meta: { name: 'late', version: '1.0.0', api: PLUGIN_API },
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

test('a plugin whose setup never ends is told of, and has failed after a minute', () =>
  withFolder({ 'late.ts': WAITING }, async (folder) => {
    using printed = spyOn(console, 'log').mockImplementation(() => {});
    const lines = () => printed.mock.calls.map(([line]) => String(line).trim());
    const timers = new ManualTimers();
    const checked = checkPlugins(builtIn(), [join(folder, 'late.ts')], timers).catch((error) => error);
    while (timers.count === 0) await settled();
    await timers.pass(10);
    expect(lines().at(-1)).toBe('...   can be set up: it has not ended yet');
    await timers.pass(50);
    expect(await checked).toMatchObject({ code: 'plugin_check_failed', message: '1 of 1 checks failed' });
    expect(lines().slice(-2)).toEqual(['FAIL  can be set up', 'it has not ended after 60 s']);
    expect(timers.count).toBe(0);
  }));
