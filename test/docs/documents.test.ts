import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import { ERRORS } from '../../src/errors.ts';
import { SETTINGS } from '../../src/settings.ts';
import { AUDIT_ACTIONS } from '../../src/store/audit-entry.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { anchorsOf, blocksOf, brokenLinks, type Document, document, documents } from './markdown.ts';

const ALL = documents();

/** Kilobytes that a document may have, by its path. */
function kilobytesMax({ path }: Document): number {
  if (path === 'README.md') return 12;
  if (path === 'CHANGELOG.md') return 24;
  if (path === 'src/README.md') return 20;
  return path.startsWith('docs/') ? 16 : 6;
}

function bytesOf({ text }: Document): number {
  return Buffer.byteLength(text);
}

describe('the documents', () => {
  test('are as short as they are meant to be', () => {
    const long = ALL.filter((one) => bytesOf(one) > 1024 * kilobytesMax(one));
    expect(long.map((one) => `${one.path} has ${bytesOf(one)} bytes`)).toEqual([]);
  });

  test('link to files and headings that exist', () => {
    expect(ALL.map(({ path }) => path)).toContain('docs/api.md');
    const broken = ALL.flatMap((one) => brokenLinks(one).map((target) => `${one.path}: ${target}`));
    expect(broken).toEqual([]);
  });

  test('of docs/ can be reached from the README, or from the document of the name of their folder', () => {
    const readme = document('README.md').text;
    const reached = ({ path }: Document) => {
      const [, folder, name] = /^docs\/([\w-]+)\/([\w-]+\.md)$/.exec(path) ?? [];
      if (folder === undefined) return readme.includes(`(${path})`);
      return document(`docs/${folder}.md`).text.includes(`(${folder}/${name}`);
    };
    expect(ALL.filter(({ path }) => path.startsWith('docs/')).filter((one) => !reached(one))).toEqual([]);
  });

  test('have every section of the specification that tests and comments cite', () => {
    const sections = document('docs/specification.md').text.matchAll(/^#+ (\d[\d.]*?)\.? /gm);
    const known = new Set([...sections].map(([, section]) => section));
    const files = ['src/**/*.ts', 'plugins/**/*.ts', 'test/spec/*.ts'].flatMap((pattern) => [
      ...new Bun.Glob(pattern).scanSync({ cwd: REPOSITORY }),
    ]);
    const cited = files.flatMap((file) => {
      const text = readFileSync(join(REPOSITORY, file), 'utf8');
      return [...text.matchAll(/(?:\bspec |^ *test\(['"])(\d(?:[\d.]*\d)?)/gm)].map(([, section]) => ({
        file,
        section,
      }));
    });
    expect(cited.length).toBeGreaterThan(100);
    expect(known.size).toBeGreaterThan(20);
    expect(cited.filter(({ section }) => !known.has(section))).toEqual([]);
  });

  test('have JSON examples that fit the schema that they name', () => {
    const openapi = JSON.parse(readFileSync(join(REPOSITORY, 'openapi', 'openapi.json'), 'utf8'));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'api', components: openapi.components });
    const examples = ALL.flatMap((one) =>
      blocksOf(one)
        .filter(({ kind }) => kind.startsWith('json '))
        .map((block) => ({ ...block, path: one.path })),
    );
    expect(examples.length).toBeGreaterThan(5);
    for (const { path, line, kind, text } of examples) {
      const [, schema] = kind.split(' ');
      ajv.validate({ $ref: `api#/components/schemas/${schema}` }, JSON.parse(text));
      expect({ path, line, faults: ajv.errors }).toEqual({ path, line, faults: null });
    }
  });
});

describe('the rooms of src/', () => {
  const rooms = readdirSync(join(REPOSITORY, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const invariants = ALL.flatMap(({ path, text }) =>
    [...text.matchAll(/^- `([a-z]+-\d+)` /gm)].map(([, name]) => ({ path, name })),
  );

  test('have a README that names the files to read first and what does not belong there', () => {
    for (const room of rooms) {
      const { text } = document(`src/${room}/README.md`);
      expect(text).toStartWith(`# ${room}\n`);
      for (const heading of ['## Read first\n', '## Not here\n']) expect(text).toContain(heading);
    }
  });

  test('number their invariants without a gap', () => {
    for (const { path, text } of ALL) {
      const names = [...text.matchAll(/^- `([a-z]+-\d+)` /gm)].map(([, name]) => name);
      const room = path.split('/').at(-2);
      expect(names).toEqual(names.map((_, index) => `${room}-${index + 1}`));
    }
  });

  test('have every invariant that sources refer to', () => {
    const known = new Set(invariants.map(({ name }) => name));
    const pattern = new RegExp(`\\b(?:${[...rooms, 'workloads'].join('|')})-\\d+\\b`, 'g');
    const sources = ['src', 'plugins', 'workloads'].flatMap((folder) => [
      ...new Bun.Glob(`${folder}/**/*.{ts,md}`).scanSync({ cwd: REPOSITORY }),
    ]);
    const named = sources.flatMap(
      (path) => readFileSync(join(REPOSITORY, path), 'utf8').match(pattern) ?? [],
    );
    expect(named.length).toBeGreaterThan(known.size);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('a broken link', () => {
  const broken = (text: string) => brokenLinks({ path: 'docs/api.md', text });

  test('is found when its file is missing, and when its heading is', () => {
    expect(
      broken('[a](feeds.md) [b](feeds.md#filters) [c](../README.md) [d](https://example.com/x)'),
    ).toEqual([]);
    expect(broken('[a](food.md) [b](feeds.md#flavours) ![c](picture.png)')).toEqual([
      'food.md',
      'feeds.md#flavours',
      'picture.png',
    ]);
  });

  test('is not looked for in code', () => {
    expect(broken('`[a](food.md)`\n\n```md\n[a](food.md)\n```\n')).toEqual([]);
  });

  test('is found by the anchors that GitHub gives to headings', () => {
    const text = '# Run `it`, for real\n## A\n## A\n```sh\n# a comment\n```\n';
    expect([...anchorsOf({ path: 'a.md', text })]).toEqual(['run-it-for-real', 'a', 'a-1']);
  });
});

/** The rows of the tables in a document by their first cell, without backquotes. */
function rowsOf({ text }: Document): Map<string, string[]> {
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  const cells = rows.map((row) => row.split('|').slice(1, -1));
  return new Map(cells.map(([first, ...others]) => [first.trim(), others.map((cell) => cell.trim())]));
}

describe('docs/operations.md', () => {
  const rows = rowsOf(document('docs/operations.md'));

  test('lists every setting with its default', () => {
    const listed = new Map<string, string>();
    for (const [first, [defaults]] of rows) {
      const names = [...first.matchAll(/`(FEEDLOOM_\w+)`/g)].map(([, name]) => name);
      for (const [index, name] of names.entries()) listed.set(name, defaults.split(', ')[index]);
    }
    const settings = Object.values(SETTINGS).map(({ env }) => env);
    expect([...listed.keys()].sort()).toEqual(settings.toSorted());
    for (const { env, default: value } of Object.values(SETTINGS)) {
      // Where the provider decides what an absent setting means, the table says that.
      if (env === 'FEEDLOOM_METADATA_KEY_HEADER') continue;
      const expected = value === undefined ? '–' : `\`${value}\``;
      expect(`${env} ${listed.get(env)}`).toBe(`${env} ${expected}`);
    }
  });

  test('names metrics that exist, as docs/monitoring.md and docs/troubleshooting.md do', () => {
    const texts = ['docs/operations.md', 'docs/monitoring.md', 'docs/troubleshooting.md'].map(
      (path) => document(path).text,
    );
    const named = new Set(texts.join('\n').match(/\bfeedloom_[a-z_]+[a-z]\b/g));
    const sources = [...new Bun.Glob('src/http/metrics/*.ts').scanSync({ cwd: REPOSITORY })];
    const code = sources.map((path) => readFileSync(join(REPOSITORY, path), 'utf8')).join('\n');
    expect(named.size).toBeGreaterThan(8);
    expect([...named].filter((name) => !code.includes(name))).toEqual([]);
  });
});

test('docs/api.md lists every error code with its status', () => {
  const listed = [...rowsOf(document('docs/api.md'))].flatMap(([first, [status]]) =>
    /^`[a-z_]+`$/.test(first) && /^\d{3}$/.test(status) ? [`${first.slice(1, -1)} ${status}`] : [],
  );
  const known = Object.entries(ERRORS).map(([code, { status }]) => `${code} ${status}`);
  expect(listed.sort()).toEqual(known.sort());
});

test('docs/keys.md lists every action of the audit log', () => {
  const { text } = document('docs/keys.md');
  expect(AUDIT_ACTIONS.filter((action) => !text.includes(`\`${action}\``))).toEqual([]);
});

test('docs/ingest.md lists every field of every record', () => {
  const rows = rowsOf(document('docs/ingest.md'));
  const { components } = JSON.parse(readFileSync(join(REPOSITORY, 'openapi', 'openapi.json'), 'utf8'));
  const records = {
    ItemRecord: '/items',
    UserRecord: '/users',
    FollowRecord: '/follows',
    BlockRecord: '/blocks',
    InteractionRecord: '/interactions',
  };
  for (const [schema, path] of Object.entries(records)) {
    const listed = rows.get(`\`${path}\``)!.join(' ');
    const fields = Object.keys(components.schemas[schema].properties);
    expect([path, fields.filter((field) => !listed.includes(`\`${field}\``))]).toEqual([path, []]);
  }
});

test('docs/troubleshooting.md has each error code that keys, load and upgrades cause, under its status', () => {
  const sections = document('docs/troubleshooting.md').text.split(/^## /m);
  const missing = Object.entries(ERRORS)
    .filter(([, { status }]) => [401, 403, 404, 429, 503, 507].includes(status))
    .filter(([code, { status }]) => {
      const section = sections.find((text) => text.startsWith(`${status}\n`));
      return !section?.includes(`\`${code}\``);
    });
  expect(missing).toEqual([]);
});

test('docs/words.md explains each word once, in one or two sentences and in the order of the alphabet', () => {
  const groups = document('docs/words.md')
    .text.split(/^## /m)
    .slice(1)
    .map((text) => [...text.matchAll(/^\| (?!Word \|)([^|-][^|]*) \| (.+) \|$/gm)]);
  for (const rows of groups) {
    const words = rows.map(([, word]) => word);
    expect(words).toEqual(words.toSorted());
  }
  const all = groups.flat();
  expect(new Set(all.map(([, word]) => word)).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(50);
  const sentences = (text: string) => text.replaceAll('.md', '').match(/\.(?= |$)/g)?.length ?? 0;
  expect(all.filter(([, , text]) => ![1, 2].includes(sentences(text))).map(([row]) => row)).toEqual([]);
});
