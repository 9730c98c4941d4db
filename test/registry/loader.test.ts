import { describe, expect, test } from 'bun:test';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../../src/errors.ts';
import { compileFeed } from '../../src/feeds/compile-feed.ts';
import { buildList } from '../../src/page/pipeline.ts';
import { loadPlugins } from '../../src/registry/loader.ts';
import { pluginEntries } from '../../src/registry/plugin-files.ts';
import { temporaryFolder } from '../support/folder.ts';
import { builtIn, engineOn, itemIds, requestOn, Scene } from '../support/scene.ts';

const folder = temporaryFolder('plugins');

function write(name: string, source: string): string {
  const file = join(folder, name);
  writeFileSync(file, source);
  return file;
}

/** A scoring function and a filter as a third party would write them. */
const sound = (namespace: string) => `
  import { defineFilter, definePlugin, defineScoringFunction, Type } from 'feedloom/plugin';
  import { Type as Same } from '@sinclair/typebox';

  export default definePlugin({
    meta: { name: '${namespace}', version: '1.0.0', api: 2 },
    filters: {
      '${namespace}/shared': defineFilter({
        summary: 'Only content that was shared often enough.',
        kind: 'inclusion',
        options: Same.Object({ min: Same.Integer({ minimum: 0, default: 1 }) }),
        compile: ({ min }) => (request) => (item) => request.item.shares_count(item) >= min,
      }),
    },
    scoring_functions: {
      '${namespace}/shares_v1.0.0': defineScoringFunction({
        summary: 'By shares.',
        options: Type.Object({ weight: Type.Number({ minimum: 0, default: 1 }) }),
        compile: ({ weight }) => (request) => (item) => weight * request.item.shares_count(item),
      }),
    },
  });
`;

async function refusal(...entries: string[]): Promise<StartupError> {
  const [error] = await loadPlugins(builtIn(), entries, true).catch((thrown: unknown) => [thrown]);
  expect(error).toBeInstanceOf(StartupError);
  return error as StartupError;
}

describe('a plugin file', () => {
  test('can import the contract and be used in a feed', async () => {
    const file = write('shares.ts', sound('shares'));
    const registry = builtIn();
    expect(await loadPlugins(registry, [file], true)).toEqual([]);
    expect(registry.get('filters', 'shares/shared')?.source).toBe(file);
    const scene = new Scene();
    for (const [id, shares] of [
      ['none', 0],
      ['few', 1],
      ['many', 9],
      ['some', 4],
    ] as const) {
      scene.item(id).count(id, 0, 0, shares);
    }
    const settings = {
      filters: { 'shares/shared': {} },
      scoring: { name: 'shares/shares_v1.0.0', options: { weight: 2 } },
    };
    const feed = compileFeed(registry, 'popular', settings);
    const page = buildList(feed, requestOn(engineOn(scene.state, { registry })));
    expect(
      itemIds(
        scene.state,
        page.map(({ item }) => item),
      ),
    ).toEqual(['many', 'some', 'few']);
    expect(page.map(({ score }) => score)).toEqual([18, 8, 2]);
  });

  test('is found in a folder in order of names, and other files are ignored', async () => {
    const inside = join(folder, 'several');
    mkdirSync(inside);
    for (const name of ['b', 'a']) writeFileSync(join(inside, `${name}.ts`), sound(name));
    writeFileSync(join(inside, 'a.test.ts'), 'throw new Error("a test");');
    writeFileSync(join(inside, 'types.d.ts'), 'export {};');
    writeFileSync(join(inside, 'notes.md'), 'not a plugin');
    const single = write('single.mjs', sound('single'));
    const registry = builtIn();
    expect(await loadPlugins(registry, pluginEntries(` ${inside} ,, ${single}`), true)).toEqual([]);
    const added = registry.ids('filters').filter((id) => id.includes('/'));
    expect(added).toEqual(['a/shared', 'b/shared', 'single/shared']);
  });

  test('is found as a package by its folder and by its name', async () => {
    const named: [string, object, string][] = [
      ['by-exports', { exports: './src/start.ts', main: 'missing.js' }, 'src/start.ts'],
      ['by-condition', { exports: { '.': { import: './start.mjs' } } }, 'start.mjs'],
      ['by-module', { module: 'start.js' }, 'start.js'],
      ['by-main', { main: './start.js' }, 'start.js'],
      ['by-index', {}, 'index.ts'],
    ];
    const modules = join(folder, 'node_modules', '@feedloom-test');
    for (const [name, described, file] of named) {
      mkdirSync(join(modules, name, 'src'), { recursive: true });
      writeFileSync(join(modules, name, 'package.json'), JSON.stringify(described));
      writeFileSync(join(modules, name, file), sound(name));
      writeFileSync(join(modules, name, 'helper.ts'), 'export default 5;');
    }
    const registry = builtIn();
    const folders = named.map(([name]) => join(modules, name));
    expect(await loadPlugins(registry, folders, true)).toEqual([]);
    expect([...registry.plugins().keys()]).toEqual(named.map(([name, , file]) => join(modules, name, file)));
    const before = process.cwd();
    mkdirSync(join(folder, 'deep', 'er'), { recursive: true });
    process.chdir(join(folder, 'deep', 'er'));
    try {
      const again = builtIn();
      expect(await loadPlugins(again, ['@feedloom-test/by-exports'], true)).toEqual([]);
      expect(again.get('filters', 'by-exports/shared')).toBeDefined();
    } finally {
      process.chdir(before);
    }
  });

  test('is found in a folder whose package.json only lists dependencies', async () => {
    const inside = join(folder, 'with-dependencies');
    mkdirSync(inside);
    writeFileSync(join(inside, 'package.json'), JSON.stringify({ dependencies: { 'left-pad': '1.3.0' } }));
    for (const name of ['c', 'd']) writeFileSync(join(inside, `${name}.ts`), sound(name));
    const registry = builtIn();
    expect(await loadPlugins(registry, [inside], true)).toEqual([]);
    expect(registry.plugins().size).toBe(2);
  });

  test.each([
    ['is not installed', '@feedloom-test/nowhere', 'no such package'],
    ['names a missing file', 'hollow', 'has no lib/plugin.js'],
    ['has a malformed package.json', 'torn', 'package.json cannot be read'],
  ])('as a package that %s is rejected with plugin_not_found', async (_, name, reason) => {
    for (const [broken, text] of [
      ['hollow', '{"main": "lib/plugin.js"}'],
      ['torn', '{'],
    ]) {
      mkdirSync(join(folder, broken), { recursive: true });
      writeFileSync(join(folder, broken, 'package.json'), text);
    }
    const error = await refusal(name.startsWith('@') ? name : join(folder, name));
    expect(error.code).toBe('plugin_not_found');
    expect(error.message).toContain(name);
    expect(error.message).toContain(reason);
  });

  test('that does not exist is rejected with plugin_not_found', async () => {
    const missing = join(folder, 'missing.ts');
    const error = await refusal(missing);
    expect(error.code).toBe('plugin_not_found');
    expect(error.message).toContain(missing);
  });

  test('that cannot be read is rejected, or left out if loading is not strict', async () => {
    const loop = join(folder, 'loop');
    symlinkSync(loop, loop);
    for (const strict of [true, false]) {
      const { code, message } = (await loadPlugins(builtIn(), [loop], strict).then(
        ([refused]) => refused,
        (thrown) => thrown,
      )) as StartupError;
      expect([code, message]).toEqual([
        'plugin_not_found',
        expect.stringMatching(/loop: cannot be read \(ELOOP/),
      ]);
    }
    const good = write('beside-loop.ts', sound('beside-loop'));
    const registry = builtIn();
    expect(await loadPlugins(registry, [loop, good], false)).toHaveLength(1);
    expect(registry.plugins().size).toBe(1);
  });

  test.each([
    ['throws', 'throw new Error("not today");', 'not today'],
    ['imports a missing package', "import 'no-such-package-anywhere'; export default {};", 'no-such-package'],
    ['has a syntax error', '\nexport default { a: = 1 }', '(line 2, column '],
    ['throws a string', 'throw "a text";', 'a text'],
  ])('that %s is rejected with plugin_threw_on_load', async (name, source, reason) => {
    const file = write(`${name.replaceAll(' ', '-')}.ts`, source);
    const error = await refusal(file);
    expect(error.code).toBe('plugin_threw_on_load');
    expect(error.message).toContain(file);
    expect(error.message).toContain(reason);
  });

  test('can import the number of the contract', async () => {
    const source = sound('numbered').replace('{ defineFilter,', '{ PLUGIN_API, defineFilter,');
    const file = write('numbered.ts', source.replace('api: 2', 'api: PLUGIN_API'));
    expect(await loadPlugins(builtIn(), [file], true)).toEqual([]);
  });

  test.each(['defineConnector', 'defineCandidateSource', 'bestOf'])(
    'that imports %s was written for contract 1, and is rejected with what to change',
    async (name) => {
      const file = write(
        `old-${name}.js`,
        `import { ${name} } from 'feedloom/plugin'; export default ${name};`,
      );
      const { code, message, remedy } = await refusal(file);
      expect(code).toBe('plugin_api_mismatch');
      expect(message).toContain(`it imports '${name}'`);
      expect(remedy).toContain('request.item.author(item)');
    },
  );

  test('with several syntax errors is rejected with the first error and their number', async () => {
    const file = write('several-errors.ts', '\nexport default { a: { b: 1 c: 2 };\nlet d = = 3;\n');
    const { code, message, remedy } = await refusal(file);
    expect(code).toBe('plugin_threw_on_load');
    expect(message).toMatch(
      /several-errors\.ts: Expected "}" but found "c" \(line 2, column 28\) and \d more$/,
    );
    expect(remedy).not.toContain('plugins check');
  });

  test('that imports a file with a syntax error is rejected with the place in that file', async () => {
    const helper = write('no-code.mjs', 'export const a = {\n');
    const { message } = await refusal(write('importing.ts', "import './no-code.mjs';\nexport default {};"));
    expect(message).toContain(`(${helper}, line `);
  });

  test('without a default export is rejected with plugin_malformed', async () => {
    expect((await refusal(write('bare.ts', 'export const plugin = {};'))).code).toBe('plugin_malformed');
  });

  test('that is listed twice is rejected with plugin_duplicate_id', async () => {
    const file = write('twice.ts', sound('twice'));
    expect((await refusal(file, file)).code).toBe('plugin_duplicate_id');
  });

  test('that is rejected is left out and the others are loaded if loading is not strict', async () => {
    const good = write('good.ts', sound('good'));
    const bad = write('bad.ts', 'throw new Error("bad");');
    const missing = join(folder, 'missing.ts');
    const registry = builtIn();
    const refused = await loadPlugins(registry, [missing, bad, good], false);
    expect(refused.map(({ code }) => code)).toEqual(['plugin_not_found', 'plugin_threw_on_load']);
    expect(registry.get('filters', 'good/shared')).toBeDefined();
    const strict = builtIn();
    await expect(loadPlugins(strict, [bad, good], true)).rejects.toMatchObject({
      code: 'plugin_threw_on_load',
    });
    expect(strict.get('filters', 'good/shared')).toBeUndefined();
  });
});

/** A plugin with one signal and one scoring function that is ranked by a signal. */
const ranked = (namespace: string, ranked_by: string, depends_on = 'item') => `
  import { Type } from 'feedloom/plugin';

  const extension = { summary: 'For tests.', options: Type.Object({}), compile: () => () => () => 1 };
  export default {
    meta: { name: '${namespace}', version: '1.0.0', api: 2 },
    signals: { '${namespace}/even': { ...extension, depends_on: '${depends_on}' } },
    scoring_functions: { '${namespace}/even_v1.0.0': { ...extension, ranked_by: '${ranked_by}' } },
  };
`;

describe('ranked_by', () => {
  test('can be a signal of the same plugin, of the service, or of a plugin that is loaded later', async () => {
    const files = [
      ['first', 'second/even'],
      ['second', 'second/even'],
      ['third', 'popular'],
    ].map(([name, ranked_by]) => write(`${name}.ts`, ranked(name, ranked_by)));
    const registry = builtIn();
    expect(await loadPlugins(registry, files, true)).toEqual([]);
    expect(registry.plugins().size).toBe(3);
  });

  test.each([
    ['that is not registered', 'populer', "no plugin registered a signal named 'populer'"],
    ['depends on the viewer', 'interest_all', "the signal 'interest_all' depends on the viewer"],
    ['of its own depends on the viewer', 'seeing/even', "the signal 'seeing/even' depends on the viewer"],
  ])('is refused with its plugin when the signal %s', async (_, ranked_by, reason) => {
    const file = write(`by-${ranked_by.replace('/', '-')}.ts`, ranked('seeing', ranked_by, 'viewer'));
    const error = await refusal(file);
    expect(error.code).toBe('plugin_malformed');
    expect(error.message).toContain(file);
    expect(error.message).toContain('seeing/even_v1.0.0.ranked_by');
    expect(error.message).toContain(reason);
  });

  test('removes the plugin if the plugin with that signal is left out', async () => {
    const files = [
      ['two-after', 'one-after/even'],
      ['one-after', 'wrong/even'],
      ['wrong', 'populer'],
      ['sound', 'popular'],
    ].map(([name, ranked_by]) => write(`${name}.ts`, ranked(name, ranked_by)));
    const registry = builtIn();
    const refused = await loadPlugins(registry, files, false);
    expect(refused.map(({ code }) => code)).toEqual(Array(3).fill('plugin_malformed'));
    expect([...registry.plugins().values()].map(({ meta }) => meta.name)).toEqual(['sound']);
  });
});
