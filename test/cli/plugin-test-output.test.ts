import { expect, test } from 'bun:test';
import { withFolder } from '../interchange/support.ts';
import { runIn } from './run.ts';

const PLUGIN = `
import { definePlugin, defineScoringFunction, Type } from 'feedloom/plugin';

const broken = (likes_count) => {
  if (likes_count === 12_345) throw new RangeError('no luck');
  return likes_count;
};

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  scoring_functions: {
    'acme/likes_v1.0.0': defineScoringFunction({
      summary: 'Items with many likes first.',
      options: Type.Object({}),
      compile: () => (request) => (item) => broken(request.item.likes_count(item)),
    }),
  },
});
`;

/** The failing call is on line 5. */
const TEST = `import { testScoringFunction } from 'feedloom/plugin/testing';
import plugin from './likes.ts';

// The author's own lines.
testScoringFunction(plugin, 'acme/likes_v1.0.0', {
  cases: [CASE],
});
`;

/** Output of `plugins test` for a plugin with one case. */
async function testing(given: string, id = 'acme/likes_v1.0.0'): Promise<string> {
  const test_file = TEST.replace('CASE', given).replace('acme/likes_v1.0.0', id);
  let printed = '';
  await withFolder({ 'likes.ts': PLUGIN, 'likes.test.ts': test_file }, async (folder) => {
    const { code, stdout, stderr } = await runIn(folder, 'plugins', 'test');
    expect(code).toBe(2);
    printed = `${stdout}${stderr}`;
  });
  return printed;
}

/** No line is from the kit, and none is longer than a few lines of a terminal. */
function expectReadable(printed: string): void {
  const lines = printed.split('\n');
  expect(lines.filter((line) => line.length > 160)).toEqual([]);
  expect(printed).not.toContain('preload.js');
}

const SCORES = 'items: { a: { likes_count: 5 } }, expect: { a: 6 }';

test('a failing case is shown with its lines of the test', async () => {
  const printed = await testing(`{ name: 'a case', ${SCORES} }`);
  expect(printed).toContain("5 | testScoringFunction(plugin, 'acme/likes_v1.0.0', {");
  expect(printed).toContain('error: expected {"a":6}, got {"a":5}');
  expect(printed).toMatch(/\(\/.*\/likes\.test\.ts:5:1\)/);
  expectReadable(printed);
});

test('an error that the plugin throws is shown with its lines of the plugin', async () => {
  const printed = await testing(
    "{ name: 'a case', items: { a: { likes_count: 12_345 } }, expect: { a: 1 } }",
  );
  expect(printed).toContain("5 |   if (likes_count === 12_345) throw new RangeError('no luck');");
  expect(printed).toMatch(/\(\/.*\/likes\.ts:5:\d+\)/);
  expectReadable(printed);
});

test('a missing extension fails with the lines of the test, and the other cases run', async () => {
  const printed = await testing('', 'acme/other_v1.0.0');
  expect(printed).toContain("the plugin has no 'acme/other_v1.0.0' among its scoring_functions");
  expect(printed).toContain('(fail) acme/other_v1.0.0 > can be tested');
  expect(printed).toMatch(/likes\.test\.ts:5:1/);
  expectReadable(printed);
});
