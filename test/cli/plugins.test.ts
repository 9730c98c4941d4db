import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEMPLATES } from '../../src/cli/plugins/templates.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runTool } from '../support/tools.ts';
import { type Ran, runIn } from './run.ts';

const KINDS = Object.keys(TEMPLATES);

const plugins = (...args: string[]): Promise<Ran> => runIn(started, 'plugins', ...args);

/** The type errors of a folder with its own tsconfig. */
function typeErrors(of: string): string {
  return runTool(['tsc', '-p', of]);
}

const folder = temporaryFolder('authors');
/** A folder with a template of each kind. */
const started = join(folder, 'started');
mkdirSync(started);
for (const kind of KINDS) {
  const { code, stderr, stdout } = await plugins('new', kind, `acme/my-${kind}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`feedloom plugins check my-${kind}.ts`);
}

describe('a template of every kind', () => {
  test('every template compiles with only its own types', () => {
    expect(KINDS).toHaveLength(8);
    expect(existsSync(join(started, 'node_modules'))).toBe(false);
    expect(typeErrors(started)).toBe('');
  });

  test('every template is formatted like the code of the service', () => {
    const args = ['biome', 'format', `--config-path=${REPOSITORY}`, '--stdin-file-path=src/example.ts'];
    for (const kind of KINDS) {
      for (const file of [`my-${kind}.ts`, `my-${kind}.test.ts`]) {
        const text = readFileSync(join(started, file), 'utf8');
        expect(runTool(args, text)).toBe(text);
      }
    }
  });

  test('every template passes every check', async () => {
    const { code, stdout, stderr } = await plugins('check', '.');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const kind of KINDS) expect(stdout).toContain(`acme/my-${kind}`);
    expect(stdout).toMatch(/\d\d checks passed\n$/);
    expect(stdout).not.toContain('FAIL');
  });

  test('every template passes its own test, and fails it when it is changed', async () => {
    const passed = await plugins('test');
    expect(passed.stderr).toContain(' 0 fail');
    expect(passed.code).toBe(0);
    const file = join(started, 'my-filter.ts');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('>= at_least', '> at_least'));
    const failed = await plugins('test', 'my-filter.test.ts');
    writeFileSync(file, text);
    expect(failed.code).toBe(2);
    expect(failed.stderr).toContain('expected ["a"], got []');
    expect(failed.stderr).toContain('[plugin_tests_failed]');
  });

  test('every template can be listed and documented', async () => {
    const listed = await plugins('list', '--external', '--plugins', '.');
    expect(listed.stdout.trim().split('\n')).toHaveLength(KINDS.length);
    for (const kind of KINDS) expect(listed.stdout).toContain(`my-${kind}.ts`);
    expect((await plugins('list')).stdout).toMatch(/^filters +channels +built-in +\S/m);
    const { stdout } = await plugins('doc', 'my-scoring.ts');
    expect(stdout).toContain('## `acme/my-scoring_v1.0.0` (scoring function)');
    expect(stdout).toContain('| `bonus` | number, 0 to 1 | `0.3` | a share from 0 to 1 |');
    expect(stdout).not.toContain('channels');
    expect((await plugins('doc')).stdout).toContain('## `channels` (filter)');
  });
});

describe('a new plugin is refused', () => {
  test.each([
    ['of no kind', ['sorting', 'acme/x'], 'Kinds are filter, scoring'],
    ['with a name that is no id', ['filter', 'acme/x/y'], '[plugin_bad_id]'],
    ['with a name that leads elsewhere', ['filter', '../x'], '[plugin_bad_id]'],
    ['where a file of that name exists', ['filter', 'acme/my-filter'], 'my-filter.ts exists already'],
  ])('a new plugin is refused %s', async (_, args, said) => {
    const { code, stderr } = await plugins('new', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });

  test('a new plugin without a namespace uses its name as one, and leaves a tsconfig unchanged', async () => {
    const own = join(folder, 'own');
    mkdirSync(own);
    writeFileSync(join(own, 'tsconfig.json'), '{}');
    expect((await runIn(own, 'plugins', 'new', 'scoring', 'fresh_voices')).code).toBe(0);
    expect(readFileSync(join(own, 'fresh_voices.ts'), 'utf8')).toContain(
      "'fresh-voices/fresh_voices_v1.0.0'",
    );
    expect(readFileSync(join(own, 'tsconfig.json'), 'utf8')).toBe('{}');
    expect((await runIn(own, 'plugins', 'check', 'fresh_voices.ts')).code).toBe(0);
  });
});

describe('a check of faulty plugins', () => {
  const faulty = (name: string, compile: string, rest = ''): string => `
    import { definePlugin, defineScoringFunction, Type } from 'feedloom/plugin';
    export default definePlugin({
      meta: { name: '${name}', version: '1.0.0', api: 2 },
      scoring_functions: {
        '${name}/x_v1.0.0': defineScoringFunction({ summary: 'Faulty.', options: Type.Object({}), compile: ${compile} }),
      },
      ${rest}
    });
  `;
  const FILES: Record<string, [string, string]> = {
    'clock.ts': [faulty('clock', '() => () => () => Date.now()'), 'it uses Date.now(); use request.now'],
    'nan.ts': [
      faulty('nan', '() => (request) => (item) => 1 / request.item.likes_count(item) - 1'),
      "item 'bare': score Infinity is not a finite number",
    ],
    'reads.ts': [
      faulty('reads', '() => (r) => (item) => r.item.field(item, "text").length'),
      "'item.text' is not in its reads",
    ],
    'signal.ts': [
      faulty('signal', '() => (r) => r.signal("populer")'),
      "no plugin registered a signal named 'populer'",
    ],
    'setup.ts': [
      faulty('setup', '() => () => () => 1', 'setup() { throw new Error("no list"); },'),
      'no list',
    ],
    'number.ts': ['export default 5;', 'refused [plugin_malformed]'],
    'code.ts': ['export default {', 'refused [plugin_threw_on_load]'],
  };

  test('a check of faulty plugins names each fault and continues with the next plugin', async () => {
    const inside = join(folder, 'faulty');
    mkdirSync(inside);
    for (const [file, [text]] of Object.entries(FILES)) writeFileSync(join(inside, file), text);
    const { code, stdout, stderr } = await plugins('check', inside, 'my-filter.ts', 'missing.ts');
    expect(code).toBe(2);
    expect(stderr).toContain('[plugin_check_failed]');
    for (const [file, [, said]] of Object.entries(FILES)) {
      expect(stdout).toContain(file);
      expect(stdout).toContain(said);
    }
    expect(stdout).toContain('refused [plugin_not_found]');
    expect(stdout).toContain('ok    keeps the same items in a feed');
  });
});

/** Types that authors rely on: `Same` compiles only if both are equal. */
const INFERRED = `
import { definePlugin, defineFilter, defineIntegration, definePromotionStrategy, defineScoringFunction, type RequestContext, type Static, Type } from 'feedloom/plugin';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

const options = Type.Object(
  {
    words: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
    mode: Type.Union([Type.Literal('keep'), Type.Literal('drop')], { default: 'keep' }),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
    nested: Type.Object({ share: Type.Number(), on: Type.Boolean() }),
    weights: Type.Record(Type.String(), Type.Number()),
    pair: Type.Tuple([Type.String(), Type.Null()]),
  },
  { additionalProperties: false },
);
type Expected = {
  words: string[];
  mode: 'keep' | 'drop';
  limit?: number;
  nested: { share: number; on: boolean };
  weights: Record<string, number>;
  pair: [string, null];
};
same<Static<typeof options>, Expected>(true);

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  filters: {
    'acme/f': defineFilter({
      summary: '',
      kind: 'inclusion',
      options: Type.Integer({ minimum: 1 }),
      compile: (least) => {
        same<typeof least, number>(true);
        return (request) => {
          same<typeof request, RequestContext>(true);
          return (item) => request.item.likes_count(item) >= least;
        };
      },
      postings: (least) => (request) => ({ created_since: request.now - least }),
    }),
  },
  scoring_functions: {
    'acme/s_v1.0.0': defineScoringFunction({
      summary: '',
      options,
      compile: ({ words, mode, limit, nested: { share } }) => {
        same<typeof words, string[]>(true);
        same<typeof mode, 'keep' | 'drop'>(true);
        same<typeof limit, number | undefined>(true);
        same<typeof share, number>(true);
        return () => () => share;
      },
    }),
  },
  promotion_strategies: {
    'acme/p_v1.0.0': definePromotionStrategy({
      summary: '',
      options: Type.Object({ every: Type.Integer() }),
      compile: ({ every }) => ({ main, page }) => main.slice(0, Math.min(every, page)).map((item) => ({ item, promoted: false })),
    }),
  },
  integrations: {
    'acme/m_v1.0.0': defineIntegration({
      summary: '',
      options: Type.Object({}),
      describe: () => async (item_ids) => item_ids.map((id) => ({ name: id })),
    }),
  },
});
`;

describe.each([
  ['the types that are printed', false],
  ["the service's own contract", true],
])('with %s', (_, own) => {
  /** The type errors of some files in a folder with the contract. */
  const check = (name: string, files: Record<string, string>): string => {
    const inside = join(folder, `${name}-${own}`);
    mkdirSync(inside);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(inside, file), text);
    const config = own
      ? {
          extends: join(REPOSITORY, 'tsconfig.json'),
          compilerOptions: {
            paths: { 'feedloom/plugin': [join(REPOSITORY, 'src/plugin/index.ts')] },
            typeRoots: [join(REPOSITORY, 'node_modules')],
          },
          include: ['*.ts'],
        }
      : JSON.parse(readFileSync(join(started, 'tsconfig.json'), 'utf8'));
    writeFileSync(join(inside, 'tsconfig.json'), JSON.stringify(config));
    const types = readFileSync(join(started, 'feedloom-plugin.d.ts'));
    if (!own) writeFileSync(join(inside, 'feedloom-plugin.d.ts'), types);
    return typeErrors(inside);
  };

  test('the types of options are inferred', () => {
    expect(check('inferred', { 'plugin.ts': INFERRED })).toBe('');
  });

  test('code that violates the contract does not compile', () => {
    const wrong: Record<string, [string, string]> = {
      'an-unknown-option': ['({ words, mode, limit,', '({ words, mode, limit, most,'],
      'a-filter-that-scores': ['request.item.likes_count(item) >= least', 'request.item.likes_count(item)'],
      'a-scoring-function-that-drops': ['() => () => share', '() => () => share > 1'],
      'an-unknown-member': ['created_since: request.now', 'created_since: request.noww'],
      'a-slot-without-a-flag': ['{ item, promoted: false }', '{ item }'],
      'metadata-of-another-form': ['({ name: id })', '({ name: 5 })'],
      'an-unknown-kind': ['scoring_functions:', 'scorings:'],
    };
    const files = Object.entries(wrong).map(([name, [right, changed]]) => {
      expect(INFERRED).toContain(right);
      return [`${name}.ts`, INFERRED.replace(right, changed)];
    });
    const errors = check('wrong', Object.fromEntries(files));
    for (const name of Object.keys(wrong)) expect(errors).toContain(`${name}.ts(`);
  });
});

test('the types name everything that the contract exports', async () => {
  const types = (await plugins('types')).stdout;
  expect(types).toBe(readFileSync(join(started, 'feedloom-plugin.d.ts'), 'utf8'));
  const contract = await import('../../src/plugin/index.ts');
  const testing = await import('../../src/kit/index.ts');
  for (const name of [...Object.keys(contract), ...Object.keys(testing), 'RequestContext', 'TestWorld']) {
    expect(types).toMatch(new RegExp(`^ {2}export (const|function|class|interface) ${name}\\b`, 'm'));
  }
  expect(types).not.toContain('import(');
  expect(types).not.toMatch(/export .*\bparseRead\b/);
});
