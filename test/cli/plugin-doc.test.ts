import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentation } from '../../src/cli/plugins/doc.ts';
import { type TSchema, Type } from '../../src/plugin/index.ts';
import { Registry } from '../../src/registry/registry.ts';
import { folderWith } from '../interchange/support.ts';
import { run, runIn } from './run.ts';

/** The documentation of an extension with these options. */
function documented(options: TSchema, kind = 'filters'): string {
  const registry = new Registry();
  const plain = { summary: 'For tests.', options, compile: () => () => () => 1 };
  const extension = kind === 'filters' ? { ...plain, kind: 'inclusion' } : plain;
  const id = kind === 'filters' ? 'acme/x' : 'acme/x_v1.0.0';
  registry.add({ meta: { name: 'acme', version: '1.0.0', api: 2 }, [kind]: { [id]: extension } }, 'acme.ts');
  return documentation(registry, true);
}

test('options with names that the operator chooses are documented as options', () => {
  const weights = Type.Record(Type.String(), Type.Number({ minimum: 0, description: 'a weight' }), {
    default: { popular: 1 },
    description: 'weights of signals',
  });
  const whole = documented(weights);
  expect(whole).not.toContain('no options');
  expect(whole).toContain('| (the value) | object | `{"popular":1}` | weights of signals |');
  expect(whole).toContain('| `<name>` | number, at least 0 | none | a weight |');
  const within = documented(Type.Object({ weights, n: Type.Integer() }));
  expect(within).toContain('| `weights` | object | `{"popular":1}` | weights of signals |');
  expect(within).toContain('| `weights.<name>` | number, at least 0 | none | a weight |');
  expect(within).toContain('| `n` | integer | required |  |');
});

test('further fields of an object are documented if they have a schema', () => {
  const open = documented(Type.Object({ n: Type.Integer() }, { additionalProperties: Type.Boolean() }));
  expect(open).toContain('| `<name>` | boolean | none |  |');
  expect(documented(Type.Object({}, { additionalProperties: false }))).toContain('It has no options.');
});

test('a file is documented although it names a signal of a missing file', async () => {
  const folder = folderWith({});
  const file = join(folder, 'acme.ts');
  const extension = `{ summary: 'Mine.', options: Type.Object({}), ranked_by: 'other/thing', compile: () => () => () => 1 }`;
  writeFileSync(
    file,
    `import { Type } from 'feedloom/plugin';
      export default { meta: { name: 'acme', version: '1.0.0', api: 2 },
        scoring_functions: { 'acme/x_v1.0.0': ${extension} } };`,
  );
  const { code, stdout } = await run('plugins', 'doc', file);
  expect([code, stdout.includes('acme/x_v1.0.0')]).toEqual([0, true]);
  const checked = await run('plugins', 'check', file);
  expect([checked.code, checked.stdout + checked.stderr]).toEqual([
    2,
    expect.stringContaining('other/thing'),
  ]);
});

test('the document says which signals propose candidates', async () => {
  const { stdout } = await run('plugins', 'doc');
  const used = (id: string) => stdout.split(`## \`${id}\` (signal)`)[1]?.split('\n## ')[0];
  expect(used('interest_all')).toContain('it proposes candidates where the score uses it');
  expect(used('trending')).toContain('it proposes candidates to all that are not in the order of a ranking');
  expect(used('momentum')).not.toContain('proposes');
});

test.each(['check', 'doc'])('feedloom plugins %s accepts a file whose name has a comma', async (command) => {
  const folder = folderWith({});
  const inside = join(folder, 'one,other');
  mkdirSync(inside);
  expect((await runIn(inside, 'plugins', 'new', 'filter', 'my-comma')).code).toBe(0);
  const { code, stdout, stderr } = await run('plugins', command, join(inside, 'my-comma.ts'));
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('my-comma');
});
