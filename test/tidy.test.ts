import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { dependencies } from '../package.json';
import { BUILT_IN, FOR_WALLETS } from '../plugins/index.ts';
import { CHANGES } from '../src/model/change.ts';
import { CONTENT, WALLETS } from '../src/state/vocabulary.ts';
import { cycles, differences, roomOf, tableOfRooms } from './support/rooms.ts';
import { functionsOf, type SourceFunction, withoutComments, withQuoted } from './support/source-text.ts';

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

/** @throws Error if there are none: a rule over nothing would never fail */
function sources(pattern: string): Source[] {
  const paths = [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })].sort();
  if (paths.length === 0) throw new Error(`no source matches ${pattern}`);
  return paths.map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, code: withoutComments(text) };
  });
}

const SRC = sources('src/**/*.{ts,tsx}');
const PLUGINS = sources('plugins/**/*.ts');
const WORKLOADS = ['workloads/bench/*.ts', 'workloads/community/**/*.ts', 'workloads/readers/*.ts'].flatMap(
  sources,
);
/** The client that is published as a package, and the generator of its types. */
const CLIENT = ['openapi/*.ts', 'openapi/client/src/*.ts']
  .flatMap(sources)
  .filter(({ path }) => path !== 'openapi/client/src/schema.ts');
/** What people copy. Packages that they installed there are not ours. */
const EXAMPLES = sources('deploy/examples/{app,express,html,page}/*.{js,mjs}');
/** Tests, and the programs that measure with their fixtures. */
const TESTS = ['test/**/*.ts', 'workloads/programs/*.ts'].flatMap(sources);
/** What builds the program. */
const SCRIPTS = sources('.ci/**/*.ts');
/** Everything that is shipped. */
const SHIPPED = [...SRC, ...PLUGINS, ...WORKLOADS];
const ALL = [...SHIPPED, ...CLIENT, ...EXAMPLES, ...TESTS];

/**
 * `file:line what` for every match of a pattern in the code.
 * @param allowed files where the pattern is allowed. Each must exist and match, or the rule has become void
 */
function matches(files: readonly Source[], pattern: RegExp, allowed: readonly string[] = []): string[] {
  const found = new Map(files.map((file): [string, string[]] => [file.path, linesWith(file, pattern)]));
  for (const path of allowed) {
    if (!found.get(path)?.length) throw new Error(`${path} has nothing that matches ${pattern}`);
    found.delete(path);
  }
  return [...found.values()].flat();
}

function linesWith({ path, code }: Source, pattern: RegExp): string[] {
  return code
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []));
}

/** The sources of rooms. @throws Error for a room that is not there */
function inRooms(...rooms: readonly string[]): Source[] {
  return rooms.flatMap((room) => {
    const files = SRC.filter(({ path }) => path.startsWith(`src/${room}/`));
    if (files.length === 0) throw new Error(`there is no room src/${room}`);
    return files;
  });
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
    expect(FILE_IMPORTS.length).toBeGreaterThan(SHIPPED.length);
    expect(cycles(FILE_IMPORTS)).toEqual([]);
  });

  test('that serve any community know no kind of act by name', () => {
    const any = inRooms('state', 'signals', 'page', 'answer', 'feeds', 'serve', 'checkpoint');
    const known = ['src/state/vocabulary.ts'];
    expect(matches(any, /\bEVENT_(CODE|TYPES)\b/, known)).toEqual([]);
    const name = new RegExp(`'(${[...CONTENT.names, ...WALLETS.names].join('|')})'`, 'g');
    const named = any
      .filter(({ path }) => !known.includes(path))
      .flatMap(({ path, text }) => [...text.matchAll(name)].map(([literal]) => `${path} ${literal}`));
    // The acts of social proof, the acts that report an item, and fields that happen to have such a name.
    expect([...new Set(named)].sort()).toEqual([
      "src/answer/followed-acts.ts 'comment'",
      "src/answer/followed-acts.ts 'like'",
      "src/answer/followed-acts.ts 'share'",
      "src/state/reports.ts 'hide'",
      "src/state/reports.ts 'report'",
    ]);
  });

  test('of evaluations ask what serves, and nothing behind it', () => {
    const behind = new Set(inRooms('page', 'signals', 'answer').map(({ path }) => path));
    const targets = inRooms('evaluate')
      .flatMap(importsOf)
      .map(({ target }) => target ?? '');
    expect(targets).toContain('src/serve/serve-feed.ts');
    expect(targets.filter((target) => behind.has(target))).toEqual([]);
  });

  test.each([
    // The benchmark measures what the bare library costs. Options of plugins have its text formats.
    ['elysia', /^@?elysia/, ['http', 'registry', 'workloads']],
    ['kysely', /^kysely/, ['store']],
  ])('that know %s are few', (_, packages, rooms) => {
    const knowing = IMPORTS.filter(({ specifier }) => packages.test(specifier));
    expect([...new Set(knowing.map(({ from }) => roomOf(from.path)))].sort()).toEqual(rooms);
  });

  test('in workloads/community import nothing of src but the clock and the names of acts', () => {
    const targets = IMPORTS.filter(({ from }) => from.path.startsWith('workloads/community/')).map(
      ({ target }) => target,
    );
    const outside = targets.filter((target) => !target?.startsWith('workloads/community/'));
    const known = ['src/clock.ts', 'src/model/acts.ts'];
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
    const functions = [...SHIPPED, ...CLIENT, ...SCRIPTS].flatMap(({ path, text }) =>
      functionsOf(text).map((one: SourceFunction) => ({ path, ...one })),
    );
    expect(functions.length).toBeGreaterThan(SHIPPED.length);
    const long = functions.filter(({ lines }) => lines > FUNCTION_LINES_MAX);
    expect(long.map(({ path, line, name, lines }) => `${path}:${line} ${name} has ${lines} lines`)).toEqual(
      [],
    );
  });

  test('ask the machine for time and randomness in one file, the client and the console in one of their own', () => {
    const asking = /\bDate\.now\b|\bMath\.random\b|\bnew Date\(\s*\)|\bperformance\.now\b/;
    const asking_files = ['src/clock.ts', 'openapi/client/src/machine.ts', 'src/console/app/clock.ts'];
    expect(matches([...SHIPPED, ...CLIENT], asking, asking_files)).toEqual([]);
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
    expect(matches([...SHIPPED, ...CLIENT], reading, ['src/main.ts'])).toEqual([]);
  });

  test('print by cli/output.ts alone, which tells when it cannot and escapes what would control a terminal', () => {
    const files = SRC.filter(({ path }) => /^src\/(cli\/|main\.ts$)/.test(path));
    const printing = /\bconsole\.\w+\(|\bprocess\.stdout\b/;
    expect(matches(files, printing, ['src/cli/output.ts'])).toEqual([]);
  });

  test('check properties in one way, by a call that does not end its function', () => {
    const others = TESTS.filter(({ path }) => path !== 'test/support/long.ts');
    expect(matches(others, /\bfc\.(assert|check|modelRun|asyncModelRun)\(/)).toEqual([]);
    const ends = /(=>|\breturn)\s*check(Async|Covering)?\(/;
    expect(others.filter(({ code }) => ends.test(code)).map(({ path }) => path)).toEqual([]);
  });

  test('keep no state in modules', () => {
    const state = /^(export\s+)?(let|var)\s/;
    expect('export let count = 0;').toMatch(state);
    expect(matches([...SHIPPED, ...CLIENT], state)).toEqual([]);
  });

  test('export no value that only they use, the public contract apart', () => {
    const names = new Map([...ALL, ...SCRIPTS].map(({ path, code }) => [path, new Set(code.match(/\w+/g))]));
    const users = new Map<string, number>();
    for (const named of names.values()) for (const name of named) users.set(name, (users.get(name) ?? 0) + 1);
    const exported = [...SRC, ...WORKLOADS, ...CLIENT, ...TESTS]
      .filter(({ path }) => !path.startsWith('src/plugin/'))
      .flatMap(({ path, code }) => [...code.matchAll(EXPORT)].map(([, name]) => ({ path, name })));
    expect(exported.length).toBeGreaterThan(SRC.length);
    const unused = exported.filter(({ name }) => users.get(name) === 1);
    expect(unused.map(({ path, name }) => `${path} exports ${name}`)).toEqual([]);
  });

  test('do not switch off the type checker', () => {
    const pattern = /@ts-(ignore|nocheck|expect-error)/;
    const wrong = ALL.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
    );
    expect(`// @ts-${'ignore'}`).toMatch(pattern);
    expect(wrong).toEqual([]);
  });

  test('leave nothing for later', () => {
    const later = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX', 'HA' + 'CK'].join('|')})\\b`);
    expect(`// TO${'DO'}: later`).toMatch(later);
    const wrong = ALL.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) => (later.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );
    expect(wrong).toEqual([]);
  });

  test('are named in kebab-case, plugins and their tests by their ids', () => {
    const part = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|d))?(\.(tsx?|m?js))?$/;
    for (const bad of ['BadName.ts', 'bad_name.ts', 'bad--name.ts']) expect(bad).not.toMatch(part);
    const others = ALL.filter(({ path }) => !/^(test\/)?plugins\//.test(path));
    const wrong = others.filter(({ path }) => !path.split('/').every((name) => part.test(name)));
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
  promotion_strategies: 'promotions',
  integrations: 'integrations',
} as const;

const FILES = PLUGINS.filter((plugin) => plugin.path !== 'plugins/index.ts' && !isPart(plugin)).map(
  ({ path }) => path,
);

/** Whether a file is a part of the extension whose name it begins with, as `bluesky-records.ts` of `bluesky.ts`. */
function isPart({ path, code }: (typeof PLUGINS)[number]): boolean {
  if (code.includes('export default ')) return false;
  return PLUGINS.some((other) => path.startsWith(`${other.path.replace(/\.ts$/, '')}-`));
}

describe('the name of a kind of change', () => {
  const names = CHANGES.map(({ kind }) => kind);
  const name = `'(?:${names.join('|')})'`;
  /** Where it is the `kind` of an object, is compared with it, or is read by it; and lists of several names. */
  const PLACES = [
    new RegExp(`\\b(?:kind\\??:|kind [!=]==|case|changesIn\\(\\w+,|readChanges\\(\\w+,) ${name}`, 'g'),
    new RegExp(`${name}(?:\\s*[,|]\\s*${name})+`, 'g'),
  ];

  /** What keys and names are of is no kind of change. */
  const SPACES = /^'(?:user|item)'\s*[,|]\s*'(?:user|item)'$/;

  function namedIn(text: string): Set<string> {
    const quoted = withQuoted(text);
    const places = PLACES.flatMap((place) => quoted.match(place) ?? []).filter((one) => !SPACES.test(one));
    return new Set(names.filter((each) => places.some((place) => place.includes(`'${each}'`))));
  }

  /** Files that know no changes use some of these words for other things. */
  const files = SRC.filter(({ text }) => /model\/changes?[./]|\bseq: 0\b|from '\.\/changes\//.test(text));

  test('is recognised where it says what a change is, and not where it says something else', () => {
    const said = "push({ kind: 'item', a }); case 'user': if (kind !== 'block') x = ['follow',\n  'trend'];";
    expect([...namedIn(said)].sort()).toEqual(['block', 'follow', 'item', 'trend', 'user']);
    expect([...namedIn("subject('user'), find('item'); // kind: 'event'")]).toEqual([]);
  });

  test.each(names)('%s is written in at most three files; the others use its definition', (each) => {
    const naming = files.filter(({ text }) => namedIn(text).has(each)).map(({ path }) => path);
    expect(naming.length > 3 ? naming : []).toEqual([]);
  });
});

describe('built-in plugins', () => {
  test('are all in the list, under the name of their file', async () => {
    const listed = new Map<string, unknown>();
    for (const [kind, extensions] of [FOR_WALLETS, BUILT_IN].flatMap((list) => Object.entries(list))) {
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

  test('are each named in a test of their kind', () => {
    const missing = FILES.filter((path) => {
      const folders = ['test/plugins', `test/${dirname(path)}`];
      const tests = TESTS.filter((each) => folders.includes(dirname(each.path)));
      const id = basename(path, '.ts');
      return !tests.some((each) => basename(each.path) === `${id}.test.ts` || each.text.includes(`'${id}'`));
    });
    expect(missing).toEqual([]);
  });

  test('import the contract, packages and their own parts, and nothing of the service', () => {
    const imports = IMPORTS.filter(
      ({ from: { path } }) => path.startsWith('plugins/') && path !== 'plugins/index.ts',
    );
    expect(imports.filter(({ specifier }) => specifier === 'feedloom/plugin').length).toBeGreaterThan(
      FILES.length / 2,
    );
    const packages = Object.keys(dependencies);
    const wrong = imports.filter(({ from, specifier }) => {
      const own =
        FILES.findLast((path) => from.path.startsWith(`${path.replace(/\.ts$/, '')}-`)) ?? from.path;
      const is_part = specifier.startsWith(`./${basename(own, '.ts')}-`);
      return specifier !== 'feedloom/plugin' && !is_part && !packages.includes(specifier);
    });
    expect(wrong.map(({ from, specifier }) => `${from.path} imports ${specifier}`)).toEqual([]);
  });
});
