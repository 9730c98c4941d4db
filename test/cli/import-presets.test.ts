import { afterAll, describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  decidingColumns,
  PRESET_NAMES,
  type PresetName,
  presetMaps,
} from '../../src/mapping/presets/index.ts';
import { API_KEY, killAll, startService } from '../simulation/support/service-process.ts';
import { temporaryFolder } from '../support/folder.ts';
import { databaseOf, EXAMPLES, shell } from './import-shell.ts';
import { run, runIn } from './run.ts';

interface Example {
  /** What `sh` finds in the folder of the commands, and the databases of `psql`, `mysql` and `mongosh`. */
  files?: readonly string[];
  postgres?: Record<string, string>;
  texts?: Record<string, string>;
  /** Makes commands that export what is not public, too: what each part becomes. */
  unfiltered?: readonly (readonly [string | RegExp, string])[];
  /** Identifiers of what is not public; texts of it say "secret". */
  secret_ids: RegExp;
  /** `item_id author_id`, in order of the identifiers. */
  items: readonly string[];
  /** Fields of some items. */
  fields?: readonly Readonly<Record<string, unknown>>[];
  /** `user_id item_id event_type` */
  acts: readonly string[];
  /** `user_id target_user_id` */
  follows?: readonly string[];
  blocks?: readonly string[];
  hidden_users?: readonly string[];
}

const EVERYTHING = [[/where \$PUBLIC/g, 'where 1 = 1']] as const;

const EXAMPLES_BY_NAME: Readonly<Record<PresetName, Example>> = {
  discourse: {
    postgres: { discourse: 'discourse.sql' },
    unfiltered: [...EVERYTHING, ['and post_actions.deleted_at is null and $PUBLIC', '']],
    secret_ids: /^1[23]\d$/,
    items: ['101 1', '102 2', '103 3', '104 4', '105 1', '106 5', '107 null', '108 2', '109 4'],
    acts: [
      ...[
        '1 102 like',
        '2 101 like',
        '2 105 like',
        '3 101 like',
        '3 102 comment',
        '3 105 like',
        '3 108 like',
      ],
      ...['4 105 like', '4 106 like', '4 108 like', '5 104 like', '77 104 like', '77 106 like'],
    ],
  },
  flarum: {
    texts: { flarum: 'flarum.sql' },
    unfiltered: EVERYTHING,
    secret_ids: /^8\d\d$/,
    items: ['101 1', '102 2', '103 null'],
    acts: ['2 101 comment', '2 101 like', '2 102 like', '2 103 like'],
  },
  gorse: {
    files: ['gorse/users.jsonl', 'gorse/items.jsonl', 'gorse/feedback.jsonl'],
    secret_ids: /^-$/,
    items: ['repo:bread null', 'repo:old null hidden', 'repo:ridge null'],
    acts: ['ann repo:bread view', 'ann repo:ridge like', 'bo repo:ridge like', 'bo repo:unlisted view'],
  },
  lemmy: {
    postgres: { lemmy: 'lemmy.sql' },
    unfiltered: [
      ...EVERYTHING,
      ['where post_like.score = 1 and $PUBLIC', ''],
      [', true \\', ', not comment.removed and not comment.deleted and $PUBLIC \\'],
      [/where (comment_like.score = 1 and )?not comment.removed and not comment.deleted and \$PUBLIC/g, ''],
    ],
    secret_ids: /^[pc]8\d$/,
    fields: [{ item_id: 'p12', link_titles: ['A page | its site'], alt_texts: ['A ridge'] }],
    items: ['c21 2', 'c22 1', 'c23 1', 'p11 1', 'p12 2'],
    acts: [
      ...['1 c21 comment', '1 c21 like', '1 c22 like', '1 c23 like', '1 p11 comment'],
      ...['2 p11 comment', '2 p11 like', '2 p12 like'],
    ],
    blocks: ['1 3'],
    hidden_users: ['3'],
  },
  mastodon: {
    fields: [
      { item_id: '112753400000000001', tags: ['gravel', 'cycling'], alt_texts: ['A road, "grey"'] },
      { item_id: '112753400000000002', link_titles: ['Winter tyres, a test'] },
    ],
    postgres: { mastodon_production: 'mastodon.sql' },
    unfiltered: [
      ['as parent_id from statuses where $PUBLIC"', 'as parent_id from statuses"'],
      ['true as public', 'public'],
      [
        /from statuses where visibility[^"]*"/g,
        'from statuses join (select id as status_id, $PUBLIC as public from statuses) as boosted on reblog_of_id = status_id"',
      ],
      [
        /from favourites \\\s+where[^"]*"/g,
        'from favourites join (select id as liked_id, $PUBLIC as public from statuses) as liked on liked_id = status_id"',
      ],
    ],
    secret_ids: /^1127534000000000(1[1-5]|2\d)$/,
    items: [
      ...['112753400000000001 109301', '112753400000000002 109303', '112753400000000003 109302'],
      ...['112753400000000004 109301', '112753400000000005 109303'],
      ...['112753400000000016 109304', '112753400000000017 109305'],
    ],
    acts: [
      ...[
        '109301 112753400000000002 like',
        '109302 112753400000000001 like',
        '109302 112753400000000001 share',
      ],
      ...[
        '109302 112753400000000002 comment',
        '109302 112753400000000004 like',
        '109303 112753400000000004 like',
      ],
    ],
    follows: ['109301 109303', '109302 109301'],
    blocks: ['109303 109302'],
    hidden_users: ['109304', '109305'],
  },
  movielens: {
    files: ['movielens/movies.csv', 'movielens/ratings.csv', 'movielens/links.csv'],
    secret_ids: /^-$/,
    items: ['1 null', '2 null', '3 null'],
    acts: ['1 1 like', '2 2 like', '2 3 like'],
  },
  nodebb: {
    texts: { nodebb: 'nodebb/objects.jsonl' },
    unfiltered: [
      ['if (!open.has(String(pid))) return;', 'if (!topics.has(String(tid))) return;'],
      ['open.has(value) && write', 'write'],
    ],
    secret_ids: /^8\d\d$|^https/,
    items: ['101 1', '102 2', '103 null'],
    acts: ['2 101 comment', '2 101 like'],
    follows: ['2 1'],
    blocks: ['1 3'],
    hidden_users: ['3'],
  },
  phpbb: {
    texts: { phpbb: 'phpbb.sql' },
    unfiltered: EVERYTHING,
    secret_ids: /^8\d\d$/,
    items: ['101 2', '102 3', '103 3', '104 null'],
    acts: ['3 101 comment'],
    follows: ['2 3'],
    blocks: ['3 2'],
  },
  reddit: {
    files: ['reddit/RS_2024-01.jsonl', 'reddit/RC_2024-01.jsonl'],
    unfiltered: [[/\| select\([^']*\)'/g, "'"]],
    secret_ids: /9\d$/,
    items: ['t1_c1 bo', 't1_c2 null', 't3_s1 ann', 't3_s2 null'],
    acts: ['bo t3_s1 comment'],
  },
};

afterAll(killAll);

/** A folder in which the commands of a preset find the data of its example. */
async function folderOf({ files = [], postgres = {}, texts = {} }: Example): Promise<{
  folder: string;
  databases: Record<string, string>;
}> {
  const folder = temporaryFolder('preset');
  const databases: Record<string, string> = {};
  for (const [name, file] of Object.entries(texts))
    databases[name] = readFileSync(join(EXAMPLES, file), 'utf8');
  for (const [name, file] of Object.entries(postgres)) databases[name] = await databaseOf(file);
  for (const file of files) {
    const [of_preset, name] = file.split('/');
    const to = name.startsWith('R') ? folder : join(folder, of_preset);
    mkdirSync(to, { recursive: true });
    copyFileSync(join(EXAMPLES, file), join(to, name));
  }
  return { folder, databases };
}

/** The commands of a preset, as its text says to take them. The download of files is left out. */
async function commandsOf(name: PresetName): Promise<string> {
  const { code, stdout } = await run('import', '--preset', name, '--print');
  expect(code).toBe(0);
  const lines = stdout.split('\n').filter((line) => /^# {3}(?!curl|unzip)/.test(line));
  return lines
    .map((line) => `${line.slice(4)}\n`)
    .join('')
    .replaceAll(/zstd -dc --long=31 (\w+-\d+)\.zst/g, 'cat $1.jsonl');
}

/** What an import of the folder has stored, as an export says it. */
async function exported(folder: string) {
  const all = join(folder, 'all');
  expect(await run('export', all, '--data', join(folder, 'data'))).toMatchObject({ code: 0 });
  // A kind without records has no file.
  const text = (name: string) => (existsSync(join(all, name)) ? readFileSync(join(all, name), 'utf8') : '');
  const objects = (name: string): Record<string, unknown>[] =>
    text(name)
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const pairs = (name: string, count: number) =>
    text(name)
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').slice(0, count).join(' '))
      .sort();
  const described = objects('items.jsonl').filter(({ created_at }) => created_at !== null);
  return {
    all: readdirSync(all)
      .map((name) => text(name))
      .join('\n'),
    items: described
      .map(({ item_id, author_id, hidden }) => `${item_id} ${author_id}${hidden === true ? ' hidden' : ''}`)
      .sort(),
    described,
    item_ids: objects('items.jsonl').map(({ item_id }) => String(item_id)),
    acts: pairs('interactions.csv', 3),
    follows: pairs('follows.csv', 2),
    blocks: pairs('blocks.csv', 2),
    hidden_users: objects('users.jsonl').flatMap(({ user_id, hidden }) =>
      hidden === true ? String(user_id) : [],
    ),
  };
}

/** The newest and the most popular items that a viewer gets. */
async function pagesOf(folder: string): Promise<string> {
  const service = await startService(join(folder, 'data'));
  const pages = ['trending', 'popular', 'for-you'].map(async (type) => {
    const answer = await fetch(`${service.address}/v2/community/feeds/${type}`, {
      method: 'POST',
      headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...(type === 'for-you' && { user_id: 'viewer', scoring: 'newest_v0.0.1' }),
        ...{ top_k: 50, return_metadata: true, return_global_fallback: true },
      }),
    });
    const { status } = answer;
    const text = await answer.text();
    expect({ status, text }).toMatchObject({ status: 200 });
    return text;
  });
  const all = (await Promise.all(pages)).join('\n');
  await service.stop();
  return all;
}

describe('presets of the import', () => {
  for (const name of PRESET_NAMES) {
    const example = EXAMPLES_BY_NAME[name];
    const { unfiltered = [], secret_ids } = example;
    for (const is_filtered of unfiltered.length > 0 ? [true, false] : [true]) {
      const given = is_filtered ? 'its own export' : 'files with what its export leaves out';
      test(`${name} imports what is public and nothing private from ${given}`, async () => {
        const { folder, databases } = await folderOf(example);
        const printed = await commandsOf(name);
        const commands = unfiltered.reduce((text, [from, to]) => {
          const changed = text.replaceAll(from, to);
          expect(changed, `${from} in the commands`).not.toBe(text);
          return changed;
        }, printed);
        const made = await shell(is_filtered ? printed : commands, folder, databases);
        expect({ name, ...made }).toMatchObject({ name, code: 0 });
        const files = readdirSync(join(folder, name)).map((file) =>
          readFileSync(join(folder, name, file), 'utf8'),
        );
        if (unfiltered.length > 0)
          expect(files.join('\n').includes('secret')).toBe(!is_filtered || name === 'mastodon');
        const imported = await runIn(folder, 'import', name, '--preset', name, '--data', 'data');
        expect(imported).toMatchObject({ code: 0 });
        expect(imported.stdout).not.toMatch(/[1-9]\d* rejected/);
        const found = await exported(folder);
        const { items, fields = [], acts, follows = [], blocks = [], hidden_users = [] } = example;
        expect(found).toMatchObject({ items, acts, follows, blocks, hidden_users });
        for (const of_item of fields)
          expect(found.described).toContainEqual(expect.objectContaining(of_item));
        expect(found.item_ids.filter((item_id) => secret_ids.test(item_id))).toEqual([]);
        const pages = await pagesOf(folder);
        const text = found.all.replaceAll(/secret: of a (suspended|limited) account/g, '');
        expect(`${text}\n${pages}`).not.toContain('secret');
        const shown = [...pages.matchAll(/"item_id":"([^"]*)"/g)].map(([, item_id]) => item_id);
        expect(shown.length).toBeGreaterThan(1);
        expect(shown.filter((item_id) => secret_ids.test(item_id))).toEqual([]);
      });
    }

    test(`${name} refuses files without a column that decides who may see a row, and shows its export`, async () => {
      const deciding = presetMaps(name).flatMap((map) =>
        decidingColumns(map).map((column) => ({ map, column })),
      );
      if (name === 'movielens') return expect(deciding).toEqual([]);
      for (const { map, column } of deciding) {
        const folder = temporaryFolder('preset');
        const columns = presetMaps(name)
          .filter(({ file }) => file === map.file)
          .flatMap(({ fields, skips }) => [...fields.values(), ...skips])
          .flatMap((source) => ('column' in source ? source.column : []));
        const kept = [...new Set(columns)].filter((each) => each !== column);
        const row = map.file.endsWith('.csv')
          ? `${kept.join(',')}\n${kept.map(() => '1').join(',')}\n`
          : `${JSON.stringify(Object.fromEntries(kept.map((each) => [each, 1])))}\n`;
        writeFileSync(join(folder, map.file), row);
        const { code, stderr } = await runIn(folder, 'import', '.', '--preset', name, '--data', 'data');
        expect({ column, code }).toEqual({ column, code: 2 });
        expect(stderr).toContain(`${map.file} has no column ${column}`);
        expect(stderr).toContain(`feedloom import --preset ${name} --print`);
      }
    });
  }
});
