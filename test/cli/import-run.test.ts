import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { token, wallet } from '../alpha/support.ts';
import { folderWith, jsonl } from '../interchange/support.ts';
import { imported, lines } from './import-support.ts';
import { run } from './run.ts';

const HEADER = 'user_id,item_id,event_type,timestamp\n';

describe('import --time-unit', () => {
  test.each([
    ['ms', '1700000000500'],
    ['us', '1700000000500000'],
    ['s', '1700000000.5'],
  ])('import --time-unit %s reads numeric times, in CSV and in JSON lines', async (unit, time) => {
    const files = {
      'items.jsonl': `{"item_id":"a","author_id":"w","created_at":${time}}\n`,
      'interactions.csv': `user_id,item_id,event_type,timestamp\nu,a,like,${time}\n`,
      'events.csv': `wallet_address,item_id,event_type,timestamp\n${wallet(1)},${token(1)},mint,${time}\n`,
      'tokens.jsonl': `{"item_id":"${token(2)}","created_at":${time}}\n`,
    };
    await imported(files, ['--time-unit', unit], (_ran, out) => {
      for (const name of ['items.jsonl', 'tokens.jsonl'])
        expect(lines(out[name])).toMatchObject([{ created_at: 1700000000.5 }]);
      for (const name of ['interactions.csv', 'events.csv']) expect(out[name]).toEndWith(',1700000000.5\n');
    });
  });

  test('import --time-unit refuses an unknown unit', async () => {
    await imported({}, ['--time-unit', 'min'], ({ code, stderr }) => {
      expect([code, stderr]).toEqual([2, expect.stringContaining('Expected one of s, ms, us, ns.')]);
    });
  });

  test('a file in milliseconds is refused with the option that reads it, and without advice on columns', async () => {
    const files = { 'likes.csv': 'who,what,at\nu,a,1700000000500\n' };
    const map = "likes.csv=interactions:user_id=who,item_id=what,timestamp=at,event_type='like'";
    await imported(files, ['--map', map], ({ code, stderr }) => {
      expect(code).toBe(2);
      expect(stderr).toContain(
        'likes.csv:2: timestamp: expected seconds, this looks like milliseconds; feedloom import --time-unit reads ms, us or ns, and COLUMN@ms in a map one column\n',
      );
      expect(stderr).not.toContain('--map');
    });
  });

  test('a time before 1990 is stored with a warning that names the option, once a column', async () => {
    const files = {
      'items.jsonl': jsonl([
        { item_id: 'a', author_id: 'w', created_at: 1_700_000_000, updated_at: 1_700_000_000 },
      ]),
      'interactions.csv': `${HEADER}u,a,like,1700000000\nv,a,like,1700000001\n`,
      'follows.csv': 'user_id,target_user_id,timestamp\nu,v,1990-01-01T00:00:00Z\n',
      'tokens.jsonl': jsonl([{ item_id: token(1) }, { item_id: token(2), created_at: 1_700_000_000 }]),
    };
    const warnings = [
      'items.jsonl:1: created_at: a time is in 1970',
      'items.jsonl:1: updated_at: a time is in 1970',
      'interactions.csv:2: timestamp: a time is in 1970',
      'tokens.jsonl:2: created_at: a time is in 1970',
    ].map(
      (start) => `${start}; is the unit right (--time-unit, COLUMN@ms in a map), or does it mean no date?`,
    );
    const warned = (stderr: string) => stderr.split('\n').filter((line) => line.includes('a time is in'));
    await imported(files, ['--time-unit', 'ms'], ({ code, stderr }, out) => {
      expect([code, warned(stderr).toSorted()]).toEqual([0, warnings.toSorted()]);
      expect(out['interactions.csv']).toContain('u,a,like,1700000\n');
    });
    const dry = await run('import', folderWith(files), '--dry-run', '--time-unit', 'ms');
    expect([dry.code, warned(dry.stderr)]).toEqual([0, warnings]);
    const right = await run('import', folderWith(files), '--dry-run');
    expect([right.code, warned(right.stderr)]).toEqual([0, []]);
  });
});

describe('import --max-rejected', () => {
  const acts = (bad: number, good: number) =>
    HEADER + 'u,a,love,5\n'.repeat(bad) + Array.from({ length: good }, (_, n) => `u${n},a,like,5\n`).join('');

  test.each([
    ['2', 2, 1, 0],
    ['1', 2, 1, 2],
    ['0', 1, 5, 2],
    ['50%', 2, 2, 0],
    ['49.9%', 2, 2, 2],
    ['5%', 100, 1_000, 2],
    ['10%', 100, 1_000, 0],
  ])(
    'import --max-rejected %s with %i bad and %i good lines exits with %i',
    async (max, bad, good, expected) => {
      await imported({ 'interactions.csv': acts(bad, good) }, ['--max-rejected', max], ({ code, stderr }) => {
        expect(code).toBe(expected);
        if (expected === 2) expect(stderr).toContain('[too_many_rejected]');
      });
    },
  );

  test.each(['-1', 'many', '101%', '1.5'])('import --max-rejected refuses %s', async (max) => {
    await imported({}, ['--max-rejected', max], ({ code, stderr }) => {
      expect([code, stderr]).toEqual([2, expect.stringContaining('a share from 0% to 100%')]);
    });
  });
});

describe('import --dry-run', () => {
  test('import --dry-run counts what would be hidden', async () => {
    const folder = folderWith({
      'photos.csv': 'id,owner,at,private\n1,u,2024-01-01,t\n2,u,2024-01-01,f\n3,u,2024-01-01,yes\n',
      'users.jsonl': jsonl([{ user_id: 'u' }, { user_id: 'v', hidden: true }]),
    });
    const map = 'photos.csv=items:item_id=id,author_id=owner,created_at=at,hidden=private';
    const { stdout } = await run('import', folder, '--dry-run', '--map', map);
    expect(stdout).toContain('photos.csv as items: 3 would be accepted (2 hidden), 0 rejected\n');
    expect(stdout).toContain('users.jsonl as users: 2 would be accepted (1 hidden), 0 rejected\n');
  });

  test('import --dry-run counts lines, shows the first records and faults, and needs no data folder', async () => {
    const folder = folderWith({
      'items.jsonl': '{"item_id":"a","author_id":"w","created_at":"2024-01-01"}\n{"item_id":"b"}\n{}\n',
      'interactions.csv': `${HEADER}u,a,like,5\n`,
      'notes.txt': 'x',
    });
    const data = join(folder, 'none');
    const { code, stdout, stderr } = await run('import', folder, '--dry-run', '--data', data);
    expect(stdout).toContain(
      'items.jsonl as items: 2 would be accepted, 1 rejected\n  {"item_id":"a","author_id":"w","created_at":1704067200}\n',
    );
    expect(stdout).toContain('interactions.csv as interactions: 1 would be accepted, 0 rejected\n');
    expect(stdout).toEndWith('This was a dry run: nothing has been imported.\n');
    expect(stderr).toContain('items.jsonl:3: item_id: is required\n');
    expect(stderr).toContain(
      'items.jsonl:2: author_id: is required for a new item that is not stored already',
    );
    expect([code, existsSync(data)]).toEqual([0, false]);
  });

  test('import --dry-run exits with 2 if the import would', async () => {
    const folder = folderWith({ 'users.jsonl': '{"id":1}\n' });
    const { code, stderr } = await run('import', folder, '--dry-run');
    expect([code, stderr]).toEqual([2, expect.stringContaining('[all_lines_rejected]')]);
  });
});

describe('a useless import', () => {
  test('an import exits with 2 if every line of a file is bad, and shows found and required fields', async () => {
    const files = {
      'users.jsonl': jsonl([
        { id: 1, name: 'Ann' },
        { id: 2, name: 'Bo' },
      ]),
      'follows.csv': 'user_id,target_user_id\nu,v\n',
    };
    await imported(files, [], ({ code, stdout, stderr }, out) => {
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('users.jsonl  0 accepted (0 unchanged), 2 rejected\n');
      expect(stderr).toContain(
        'feedloom: users.jsonl: all 2 lines were rejected; line 1: user_id: is required; found the fields id, name; wanted: user_id [all_lines_rejected]\n',
      );
      expect(stderr).toContain('--map users.jsonl=users:FIELD=NAME');
      // Good lines stay imported.
      expect(out['follows.csv']).toContain('u,v');
    });
  });

  test('an import exits with 2 if the files contain no record', async () => {
    await imported({ 'interactions.csv': HEADER }, [], ({ code, stderr }) => {
      expect(code).toBe(2);
      expect(stderr).toContain(
        'nothing was accepted: there is no record in interactions.csv [nothing_accepted]',
      );
    });
  });

  test('an import exits with 2 if no file is an interchange file, and lists found and known files', async () => {
    await imported({ 'users.csv': 'id\n1\n' }, [], ({ code, stderr }) => {
      expect(code).toBe(2);
      expect(stderr).toContain(': it holds users.csv [nothing_to_import]');
      expect(stderr).toContain('Expected users.jsonl, items.jsonl');
      expect(stderr).toContain('--map');
    });
  });

  test('an ignored file is named with the interchange file that its name suggests', async () => {
    const files = { 'users.csv': 'id\n1\n', 'follows.csv': 'user_id,target_user_id\nu,v\n' };
    await imported(files, [], ({ code, stderr }) => {
      expect(code).toBe(0);
      expect(stderr).toContain(
        'ignored: users.csv (not an interchange file; users are read from users.jsonl)\n',
      );
      expect(stderr).toContain('feedloom import --map reads files of other names and columns');
    });
  });
});
