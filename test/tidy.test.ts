import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { BUILT_IN, FOR_WALLETS } from '../plugins/index.ts';
import { cycles, differences, roomOf, tableOfRooms } from './support/rooms.ts';
import { functionsOf, type SourceFunction, withoutComments } from './support/source-text.ts';

/** The rules of the house, over the sources themselves; offenders are listed as `file:line what`. */

const ROOT = resolve(import.meta.dir, '..');
const LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;

interface Source {
  path: string;
  text: string;
  /** The text without comments and without what stands in quotes; lines as in `text`. */
  code: string;
}

function sources(pattern: string): Source[] {
  const paths = [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })].sort();
  return paths.map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, code: withoutComments(text) };
  });
}

const SRC = sources('src/**/*.{ts,tsx}');
const PLUGINS = sources('plugins/**/*.ts');
const WORKLOADS = sources('workloads/**/*.ts');
/** The client that is published as a package, and the generator of its types. */
const CLIENT = ['openapi/*.ts', 'openapi/client/src/*.ts']
  .flatMap(sources)
  .filter(({ path }) => path !== 'openapi/client/src/schema.ts');
const EXAMPLES = sources('deploy/**/*.ts');
const TESTS = sources('test/**/*.ts');
/** What builds the program. */
const SCRIPTS = sources('.ci/**/*.ts');
/** Everything that is shipped. */
const SHIPPED = [...SRC, ...PLUGINS, ...WORKLOADS];
const ALL = [...SHIPPED, ...CLIENT, ...EXAMPLES, ...TESTS];

/** `file:line what` for every match of a pattern in the code. */
function matches(files: readonly Source[], pattern: RegExp): string[] {
  return files.flatMap(({ path, code }) =>
    code
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  );
}

interface Import {
  from: Source;
  /** What is written in the quotes. */
  specifier: string;
  /** The file it means, from the root; undefined for a package. */
  target?: string;
  type_only: boolean;
}

const IMPORT =
  /^\s*(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

function importsOf(source: Source): Import[] {
  return [...source.text.matchAll(IMPORT)].map((match) => {
    const specifier = match[2] ?? match[3];
    const target = specifier.startsWith('.')
      ? relative(ROOT, resolve(ROOT, dirname(source.path), specifier))
      : undefined;
    return { from: source, specifier, target, type_only: match[1] !== undefined };
  });
}

/** A value that a file exports; types are exported with what takes or gives them. */
const EXPORT = /^export (?:declare )?(?:async )?(?:abstract )?(?:const|function\*?|class) (\w+)/gm;

const IMPORTS = SHIPPED.flatMap(importsOf);
const FILE_IMPORTS = IMPORTS.flatMap(({ from, target, type_only }) =>
  target === undefined ? [] : [{ from: from.path, to: target, type_only }],
);

const README = readFileSync(join(ROOT, 'src/README.md'), 'utf8');

describe('rooms', () => {
  test('import what the table in src/README.md says, all of it and nothing else', () => {
    const files = SHIPPED.map(({ path }) => path);
    expect(differences(tableOfRooms(README), files, FILE_IMPORTS)).toEqual([]);
  });

  test('have no import cycles within them or between them, imports of types counted', () => {
    expect(cycles(FILE_IMPORTS)).toEqual([]);
  });

  test('that serve any community know no kind of act by name', () => {
    const any = SRC.filter(({ path }) =>
      /^src\/(state|signals|page|answer|feeds|serve|checkpoint)\//.test(path),
    );
    const others = any.filter(({ path }) => !/^src\/state\/(change|vocabulary)\.ts$/.test(path));
    expect(matches(others, /\bEVENT_(CODE|TYPES)\b/)).toEqual([]);
  });

  test('of evaluations ask what serves, and nothing behind it', () => {
    const targets = IMPORTS.filter(({ from }) => roomOf(from.path) === 'evaluate').map(
      ({ target }) => target,
    );
    expect(targets).toContain('src/serve/serve-feed.ts');
    const behind = targets.filter(
      (target) => target !== undefined && /^src\/(pipeline|signals)\//.test(target),
    );
    expect(behind).toEqual([]);
  });

  test.each([
    // The benchmark measures what the bare library costs.
    ['elysia', /^@?elysia/, ['http', 'workloads']],
    ['kysely', /^kysely/, ['store']],
  ])('that know %s are few', (_, packages, rooms) => {
    const wrong = IMPORTS.filter(
      ({ from, specifier }) => packages.test(specifier) && !rooms.includes(roomOf(from.path)),
    );
    expect(wrong.map(({ from, specifier }) => `${from.path} imports ${specifier}`)).toEqual([]);
  });

  test('in workloads/community import nothing of src but the clock and the names of acts', () => {
    const targets = IMPORTS.filter(({ from }) => from.path.startsWith('workloads/community/')).map(
      ({ target }) => target,
    );
    const outside = targets.filter((target) => !target?.startsWith('workloads/community/'));
    const known = ['src/clock.ts', 'src/state/change.ts', 'src/state/vocabulary.ts'];
    expect([...new Set(outside)].sort()).toEqual(known);
  });

  test('do not import tests, and tests are not where they are', () => {
    const wrong = IMPORTS.filter(({ target }) => target?.startsWith('test/') || target?.includes('.test.'));
    expect(wrong.map(({ from, specifier }) => `${from.path} imports ${specifier}`)).toEqual([]);
  });
});

describe('sources', () => {
  test(`have at most ${LINES_MAX} lines`, () => {
    const lengths = [...ALL, ...SCRIPTS].map(({ path, text }) => ({
      path,
      lines: text.split('\n').length - 1,
    }));
    const long = lengths.filter(({ lines }) => lines > LINES_MAX);
    expect(long.map(({ path, lines }) => `${path} has ${lines} lines`)).toEqual([]);
  });

  test(`have functions of at most ${FUNCTION_LINES_MAX} lines`, () => {
    const long = [...SHIPPED, ...CLIENT, ...SCRIPTS].flatMap(({ path, text }) =>
      functionsOf(text)
        .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
        .map(({ name, line, lines }: SourceFunction) => `${path}:${line} ${name} has ${lines} lines`),
    );
    expect(long).toEqual([]);
  });

  test('ask the machine for time and randomness in one file, the client and the console in one of their own', () => {
    const asking = /\bDate\.now\b|\bMath\.random\b|\bnew Date\(\s*\)|\bperformance\.now\b/;
    const asking_files = ['src/clock.ts', 'openapi/client/src/machine.ts', 'src/console/app/clock.ts'];
    const files = [...SHIPPED, ...CLIENT].filter(({ path }) => !asking_files.includes(path));
    expect(matches(files, asking)).toEqual([]);
  });

  test('send requests to other services by plugin/outgoing.ts alone, which bounds them', () => {
    const sending = /(?<![.\w])(?:globalThis\.)?fetch\(|\bnew WebSocket\(|\bBun\.connect\(/;
    const in_browsers = 'src/console/app/';
    const files = [...SRC, ...PLUGINS].filter(
      ({ path }) => path !== 'src/plugin/outgoing.ts' && !path.startsWith(in_browsers),
    );
    expect(matches(files, sending)).toEqual([]);
    const by_module = [...SRC, ...PLUGINS].filter(({ text }) =>
      /['"]node:(?:https?|http2|net|tls)['"]/.test(text),
    );
    expect(by_module.map(({ path }) => path)).toEqual([]);
  });

  test('read the environment and the arguments in main.ts alone', () => {
    const reading = /\bprocess\.(env|argv)\b|\bBun\.(env|argv)\b|\bimport\.meta\.env\b/;
    const files = [...SHIPPED, ...CLIENT].filter(({ path }) => path !== 'src/main.ts');
    expect(matches(files, reading)).toEqual([]);
  });

  test('print by cli/output.ts alone, which tells when it cannot and escapes what would control a terminal', () => {
    const files = SRC.filter(({ path }) => /^src\/(cli\/|main\.ts$)/.test(path));
    const others = files.filter(({ path }) => path !== 'src/cli/output.ts');
    expect(matches(others, /\bconsole\.\w+\(|\bprocess\.stdout\b/)).toEqual([]);
  });

  test('check properties in one way, by a call that does not end its function', () => {
    const others = TESTS.filter(({ path }) => path !== 'test/support/long.ts');
    expect(matches(others, /\bfc\.(assert|check|modelRun|asyncModelRun)\(/)).toEqual([]);
    const ends = /(=>|\breturn)\s*check(Covering)?\(/;
    expect(others.filter(({ code }) => ends.test(code)).map(({ path }) => path)).toEqual([]);
  });

  test('keep no state in modules', () => {
    expect(matches([...SHIPPED, ...CLIENT], /^(export\s+)?(let|var)\s/)).toEqual([]);
  });

  test('export no value that only they use, the public contract apart', () => {
    const names = new Map([...ALL, ...SCRIPTS].map(({ path, code }) => [path, new Set(code.match(/\w+/g))]));
    const users = new Map<string, number>();
    for (const named of names.values()) for (const name of named) users.set(name, (users.get(name) ?? 0) + 1);
    const unused = [...SRC, ...WORKLOADS, ...CLIENT, ...TESTS].flatMap(({ path, code }) => {
      if (path.startsWith('src/plugin/')) return [];
      const exported = [...code.matchAll(EXPORT)].map(([, name]) => name);
      return exported.filter((name) => users.get(name) === 1).map((name) => `${path} exports ${name}`);
    });
    expect(unused).toEqual([]);
  });

  test('do not switch off the type checker', () => {
    const wrong = ALL.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          /@ts-(ignore|nocheck|expect-error)/.test(line) ? [`${path}:${index + 1}`] : [],
        ),
    );
    expect(wrong.filter((place) => !place.startsWith('test/tidy.test.ts'))).toEqual([]);
  });

  test('leave nothing for later', () => {
    const later = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX', 'HA' + 'CK'].join('|')})\\b`);
    const wrong = ALL.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) => (later.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );
    expect(wrong).toEqual([]);
  });

  test('are named in kebab-case, plugins and their tests by their ids', () => {
    const wrong = ALL.filter(({ path }) => !/^(test\/)?plugins\//.test(path)).filter(
      ({ path }) =>
        !path.split('/').every((part) => /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|d))?(\.tsx?)?$/.test(part)),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

test('the client imports nothing but its own files', () => {
  const own = CLIENT.filter(({ path }) => path.startsWith('openapi/client/')).flatMap(importsOf);
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter(({ target }) => !target?.startsWith('openapi/client/src/'))).toEqual([]);
});

/** The folder of each kind. */
const FOLDERS = {
  filters: 'filters',
  scoring_functions: 'scoring',
  visibility_rules: 'visibility',
  signals: 'signals',
  candidate_sources: 'sources',
  promotion_strategies: 'promotions',
  metadata_providers: 'metadata',
  connectors: 'connectors',
  webhooks: 'webhooks',
} as const;

const FILES = PLUGINS.map(({ path }) => path).filter((path) => path !== 'plugins/index.ts' && !isPart(path));

/** Whether a file belongs to the extension whose name it begins with: `bluesky-records.ts` to `bluesky.ts`. */
function isPart(path: string): boolean {
  return PLUGINS.some((other) => path.startsWith(`${other.path.replace(/\.ts$/, '')}-`));
}

describe('built-in plugins', () => {
  test('are all in the list, under the name of their file', async () => {
    const listed = new Map<string, unknown>();
    for (const [kind, extensions] of [BUILT_IN, FOR_WALLETS].flatMap((list) => Object.entries(list))) {
      const folder = FOLDERS[kind as keyof typeof FOLDERS];
      for (const [id, extension] of Object.entries(extensions))
        listed.set(`plugins/${folder}/${id}.ts`, extension);
    }
    expect([...listed.keys()].sort()).toEqual(FILES);
    for (const [path, extension] of listed) {
      const module: { default: unknown } = await import(join(ROOT, path));
      expect(`${path} ${module.default === extension}`).toBe(`${path} true`);
    }
  });

  test('each have a test of the same name', () => {
    const missing = FILES.map((path) => `test/${path.replace(/\.ts$/, '.test.ts')}`).filter(
      (path) => !existsSync(join(ROOT, path)),
    );
    expect(missing).toEqual([]);
  });

  test('import the contract and nothing else', () => {
    const wrong = IMPORTS.filter(
      ({ from, specifier }) =>
        from.path !== 'plugins/index.ts' &&
        from.path.startsWith('plugins/') &&
        specifier !== 'feedloom/plugin' &&
        !specifier.startsWith(`./${basename(from.path, '.ts')}-`),
    );
    expect(wrong.map(({ from, specifier }) => `${from.path} imports ${specifier}`)).toEqual([]);
  });
});
