import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/folder.ts';
import { openTestService } from '../../support/service.ts';
import { openCommunity } from '../support.ts';

const folder = temporaryFolder('setup');

/** A plugin whose only filter keeps everything, set up by some code. */
function write(name: string, setup: string): string {
  const source = `
    import { definePlugin, Type } from 'feedloom/plugin';
    export default definePlugin({
      meta: { name: '${name}', version: '1.0.0', api: 2 },
      ${setup}
      filters: {
        '${name}/any': {
          summary: 'Everything.',
          kind: 'inclusion',
          options: Type.Object({}),
          compile: () => () => () => true,
        },
      },
    });`;
  const file = join(folder, `${name}.ts`);
  writeFileSync(file, source);
  return file;
}

const sound = write(
  'sound',
  `async setup(host) { host.refresh('list', 60, async () => host.user_set(['someone'])); },`,
);

test('a plugin whose setup fails prevents the start', async () => {
  const broken = write('broken', `async setup() { throw new Error('no credentials'); },`);
  const opening = openTestService({ settings: { plugins: `${sound},${broken}` } });
  await expect(opening).rejects.toMatchObject({ code: 'plugin_threw_on_load' });
  await expect(opening).rejects.toThrow('setup: no credentials');
});

test('a plugin whose setup fails can be left out: its filter is unknown, and the others work', async () => {
  const gone = write(
    'gone',
    `setup(host) { host.refresh('list', 60, () => { throw new Error('away'); }); },`,
  );
  const settings = { plugins: `${sound},${gone}`, plugins_strict: false };
  await using community = await openCommunity({ settings });
  const [refused] = community.server.service.refused_plugins;
  expect([refused.code, refused.message]).toEqual([
    'plugin_threw_on_load',
    expect.stringContaining("gone.ts: setup: refresh 'list': away"),
  ]);
  // What the plugin said, and where it is, is for the log alone.
  const readiness = await community.server.call('GET', '/readyz', undefined, {});
  expect(readiness.body.refused_plugins).toEqual([{ code: 'plugin_threw_on_load', plugin: 'gone.ts' }]);
  const { body } = await community.server.get('/api/plugins');
  const ids = body.data.map(({ id }: { id: string }) => id);
  expect([ids.includes('sound/any'), ids.includes('gone/any')]).toEqual([true, false]);
  await community.addItem('item');
  expect(await community.ids('popular', { filters: { 'sound/any': {} } })).toEqual(['item']);
  const { status } = await community.ask('popular', { filters: { 'gone/any': {} } });
  expect(status).toBe(400);
});
