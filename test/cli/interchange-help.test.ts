import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NAMES } from '../../src/interchange/files.ts';
import { EVENT_TYPES } from '../../src/model/acts.ts';
import { nft, wallet } from '../alpha/support.ts';
import { type Files, withFolder } from '../interchange/support.ts';
import { run } from './run.ts';

/** Checks that `feedloom import --help`, an import and docs/import.md agree about files and fields. */

const GUIDE = readFileSync(join(import.meta.dir, '../../docs/import.md'), 'utf8');
const SECTION = GUIDE.slice(GUIDE.indexOf('## Interchange files\n')).split('\n## ', 1)[0];
const FILES = Object.values(NAMES);
/** Files whose lines are written by hand. */
const WRITTEN = FILES.filter((name) => !/trends|experiments/.test(name));

interface Fields {
  required: string[];
  optional: string[];
}

let told: ReadonlyMap<string, Fields>;

beforeAll(async () => {
  const { code, stdout } = await run('import', '--help');
  expect(code).toBe(0);
  // The list begins after the options, and an entry may have several lines.
  const list = stdout.slice(stdout.indexOf('Interchange files and their')).split('\n\n', 1)[0];
  const entries = list.split(/\n {2}(?=\S)/).slice(1);
  told = new Map(
    entries.map((entry) => {
      const [, name, required, optional = ''] = /^(\S+) ([^[]*)(?:\[(.*)\])?$/.exec(
        entry.replace(/\s+/g, ' '),
      )!;
      // The line of the catalog is about an NFT here.
      const of_it = optional.replace(/; a token: [^;]*; an NFT: /, ', ');
      return [name, { required: words(required), optional: words(of_it) }];
    }),
  );
});

function words(text: string): string[] {
  return text.split(/,\s*/).flatMap((word) => word.trim() || []);
}

type Value = string | number | string[];

/** A value for each field that some file requires. */
const VALUES: Readonly<Record<string, Value>> = {
  user_id: 'u',
  target_user_id: 'v',
  item_id: 'i',
  author_id: 'u',
  created_at: 1_700_000_000,
  timestamp: 1_700_000_001,
  event_type: 'like',
  config_id: 'feed_1',
  name: 'Mine',
  wallet_address: wallet(1),
  list_id: 'l',
  user_ids: ['u'],
  labeler_id: 'l',
  value: 'spam',
};
const VALUES_OF: Readonly<Record<string, Record<string, Value>>> = {
  'events.csv': { item_id: nft(1, 1), event_type: 'mint' },
  'tokens.jsonl': { item_id: nft(1, 1) },
  // At least one of the optional fields is needed.
  'engagement.csv': { likes_count: 1 },
  'labels.csv': { item_id: 'i' },
};

/** A line with the required fields, and empty values for the others. */
function lineOf(name: string, without?: string): Record<string, Value | null | undefined> {
  const { required, optional } = told.get(name)!;
  const values = { ...VALUES, ...VALUES_OF[name] };
  const line = Object.fromEntries([
    ...optional.map((field) => [field, VALUES_OF[name]?.[field] ?? null]),
    ...required.map((field) => [field, field === without ? undefined : values[field]]),
  ]);
  // Fields of a known item need not be repeated.
  if (name === 'items.jsonl' && without !== undefined && without !== 'item_id')
    line.item_id = `no ${without}`;
  return line;
}

function textOf(name: string, lines: readonly Record<string, Value | null | undefined>[]): string {
  if (name.endsWith('.jsonl')) return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const columns = Object.keys(lines[0]);
  return [columns, ...lines.map((line) => columns.map((column) => line[column] ?? ''))].join('\n');
}

async function importing(files: Files) {
  return withFolder(files, (folder) => run('import', folder, '--data', join(folder, 'data')));
}

describe('feedloom import --help', () => {
  test('import --help lists every file', () => {
    expect([...told.keys()]).toEqual(FILES);
  });

  test('import --help lists the fields that a line must have, and no unknown ones', async () => {
    const files = Object.fromEntries(WRITTEN.map((name) => [name, textOf(name, [lineOf(name)])]));
    const { code, stdout, stderr } = await importing(files);
    expect([code, stderr.match(/^.*(unknown field|:\d+: ).*$/gm)]).toEqual([0, null]);
    for (const name of WRITTEN)
      expect(stdout).toMatch(new RegExp(`^${name} +1 accepted .*, 0 rejected$`, 'm'));
  });

  test('import --help lists the fields as required that an import misses', async () => {
    const lacking = (name: string) => told.get(name)!.required;
    const files = Object.fromEntries(
      WRITTEN.map((name) => [
        name,
        textOf(
          name,
          lacking(name).map((field) => lineOf(name, field)),
        ),
      ]),
    );
    const { code, stderr } = await importing(files);
    expect(code).toBe(2);
    expect(stderr).toContain('[all_lines_rejected]');
    for (const name of WRITTEN) {
      const first_line = name.endsWith('.csv') ? 2 : 1;
      for (const [at, field] of lacking(name).entries()) {
        expect(stderr).toContain(`${name}:${at + first_line}: ${field}: is required`);
      }
    }
  });

  test('import --help lists the columns as required that a header must have', async () => {
    for (const name of WRITTEN.filter((each) => each.endsWith('.csv'))) {
      const { code, stderr } = await importing({ [name]: 'place\n' });
      const columns = told.get(name)!.required.join(', ');
      expect([code, stderr.split('\n')[0]]).toEqual([
        2,
        expect.stringContaining(
          `feedloom: ${name}:1: header: expected the columns ${columns}; ${columns} missing; found place`,
        ),
      ]);
    }
  });

  test('the help of export and evaluate, and the error for an empty folder, refer to import --help', async () => {
    const named = 'feedloom import --help';
    expect((await run('export', '--help')).stdout).toContain(named);
    expect((await run('evaluate', 'replay', '--help')).stdout).toContain(named);
    expect((await importing({})).stderr).toContain(named);
  });
});

describe('docs/import.md', () => {
  const rows = SECTION.split('\n').filter((line) => line.startsWith('| `'));
  const rowOf = (name: string) => rows.find((row) => row.split(' | ')[0].includes(`\`${name}\``))!;

  test('docs/import.md has a row for every file', () => {
    const named = rows.flatMap((row) =>
      [...row.split(' | ')[0].matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );
    expect(named.toSorted()).toEqual(FILES.toSorted());
  });

  test('docs/import.md names the required fields of each file, the other columns, and the kinds of interaction', () => {
    for (const name of WRITTEN) {
      const [, , required, optional] = rowOf(name).split(' | ');
      for (const field of told.get(name)!.required) expect(required).toContain(`\`${field}\``);
      if (!name.endsWith('.csv')) continue;
      for (const field of told.get(name)!.optional) expect(optional).toContain(`\`${field}\``);
    }
    for (const event_type of EVENT_TYPES) expect(rowOf('interactions.csv')).toContain(`\`${event_type}\``);
  });
});
