import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { actsCsv, itemsJsonl, type PlantedAct, START } from '../evaluate/support.ts';
import { folderWith, withFolder } from '../interchange/support.ts';
import { environment, feedloom } from '../support/feedloom.ts';
import { run } from './run.ts';

const FILES = {
  'items.jsonl': itemsJsonl([
    ['a', 0],
    ['b', 0],
    ['c', 0],
  ]),
  'interactions.csv': actsCsv([
    ['u', 'a', 1],
    ['u', 'b', 2],
    ['v', 'c', 3],
    ['u', 'c', 4],
  ]),
  'test.csv': actsCsv([['v', 'a', 9]]),
};

/** Runs `feedloom evaluate` with a folder of files, which `{}` stands for. */
function evaluate(...args: string[]) {
  return withFolder(FILES, (folder) =>
    run('evaluate', ...args.map((arg) => arg.replace('{}', folder))).then((ran) => ({ ...ran, folder })),
  );
}

const FROM = String(START + 3);

describe('feedloom evaluate', () => {
  test('evaluate prints a table with the service first and baselines marked', async () => {
    const { code, stdout, stderr, folder } = await evaluate(
      'replay',
      '--data',
      '{}',
      '--from',
      FROM,
      '--scoring',
      'balanced_feed_v0.0.1',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'ignored: test.csv (not an interchange file)\n' });
    const [about, table, legend, verdict] = stdout.trimEnd().split('\n\n');
    const [heading, ...rows] = table.split('\n');
    expect(about).toBe(`replay on ${folder}: 1 pages of 1 users`);
    expect(heading.trim().split(/ {2,}/)).toEqual([
      'HR@20',
      'NDCG@20',
      'MRR',
      'coverage',
      'popularity',
      'short',
      'p50 µs',
      'p99 µs',
    ]);
    expect(rows[0]).toMatch(
      /^balanced_feed_v0\.0\.1 +1\.0000 +1\.0000 +1\.0000 +0\.3333 +1\.0 +1\.0000 +\d+ +\d+$/,
    );
    expect(rows[2]).toMatch(/^baseline popular +1\.0000 .* – +–$/);
    const widths = new Set([heading, ...rows].map((line) => [...line].length));
    expect(widths.size).toBe(1);
    expect(verdict).toStartWith(
      'It is not known whether balanced_feed_v0.0.1 finds more of what people did next',
    );
    // One legend line for each column, and no others.
    expect(legend.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual(heading.trim().split(/ {2,}/));
    expect(legend).toContain(
      'HR@20       share of pages with at least one of the items that the user interacted with next',
    );
  });

  const DAY = 86_400;

  /** Holds out what v did so many days after the start: two likes of items of day 100, and one of an unknown item. */
  const heldOutOn = (day: number) => {
    const items: [string, number][] = [
      ['x', 0],
      ['a', 100 * DAY],
      ['b', 100 * DAY],
    ];
    const acts: PlantedAct[] = [
      ['u', 'a', 101 * DAY],
      ['u', 'b', 101 * DAY],
      ['v', 'x', 400 * DAY],
    ];
    const files = {
      'items.jsonl': itemsJsonl(items),
      'interactions.csv': actsCsv(acts),
      'test.csv': actsCsv(['a', 'b', 'nowhere'].map((item): PlantedAct => ['v', item, day * DAY])),
    };
    return withFolder(files, (folder) =>
      run('evaluate', 'holdout', '--data', folder, '--test', join(folder, 'test.csv')),
    );
  };

  test('evaluate holdout prints the ages of held-out items, and advises a replay if they were young when acted on', async () => {
    const { code, stdout, stderr } = await heldOutOn(101);
    expect(code).toBe(0);
    expect(stdout).toContain('age of held-out items when the pages are built: about 300 days\n');
    expect(stdout).toContain('age of held-out items at the time of the acts: about 24 hours\n');
    expect(stdout).toContain('held-out acts on items that are not in the data: 1\n');
    expect(stderr).toContain('feedloom evaluate replay builds each page at the time of the act');
  });

  test('evaluate holdout reports unknown ages if the data has one time for everything', async () => {
    const acts: PlantedAct[] = ['a', 'b'].map((item) => ['u', item, 0]);
    const files = {
      'interactions.csv': actsCsv([...acts, ['v', 'a', 0]]),
      'test.csv': actsCsv([['v', 'b', 0]]),
    };
    const { stdout } = await withFolder(files, (folder) =>
      run('evaluate', 'holdout', '--data', folder, '--test', join(folder, 'test.csv')),
    );
    expect(stdout).toContain('ages of held-out items: unknown, as the data has the same time');
    expect(stdout).not.toContain('0 seconds');
  });

  test('evaluate holdout describes differing ages by their spread', async () => {
    const items = Array.from({ length: 20 }, (_, at): [string, number] => [`i${at}`, at * DAY]);
    const acts: PlantedAct[] = [
      ['v', 'i0', 0],
      ['u', 'i1', 20 * DAY],
    ];
    const held_out = items.slice(2).map(([item, after]): PlantedAct => ['v', item, after + 3_600]);
    const files = {
      'items.jsonl': itemsJsonl(items),
      'interactions.csv': actsCsv(acts),
      'test.csv': actsCsv(held_out),
    };
    const { stdout } = await withFolder(files, (folder) =>
      run('evaluate', 'holdout', '--data', folder, '--test', join(folder, 'test.csv')),
    );
    expect(stdout).toContain(
      'when the pages are built: median 10 days, 10 % under 2 days, 10 % over 17 days',
    );
    expect(stdout).toContain('at the time of the acts: about 60 minutes');
  });

  test('evaluate holdout does not advise a replay if items are old when acted on, as in a catalogue', async () => {
    const { code, stdout, stderr } = await heldOutOn(401);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('age of held-out items at the time of the acts: about 301 days\n');
  });

  test.each([
    ['holdout', ['--test', '{}/test.csv']],
    ['replay', ['--from', FROM]],
    ['trending', ['--from', FROM, '--every', '1s', '--horizon', '1s']],
  ])('evaluate %s shows its progress on a terminal immediately', async (protocol, flags) => {
    const folder = folderWith(FILES);
    let shown = '';
    const args = [protocol, '--data', folder, ...flags].map((arg) => arg.replace('{}', folder));
    const child = Bun.spawn([feedloom(), 'evaluate', ...args], {
      env: environment(),
      terminal: {
        cols: 120,
        rows: 40,
        data(_, data) {
          shown += Buffer.from(data).toString();
        },
      },
    });
    expect(await child.exited).toBe(0);
    const phases = [
      'reading the files (bytes)',
      'applying earlier records (records)',
      'building pages',
      `${protocol} on `,
    ].map((text) => shown.indexOf(text));
    expect(phases).not.toContain(-1);
    expect(phases).toEqual(phases.toSorted((one, other) => one - other));
    // Nothing is on the screen before it.
    const [first_line] = shown.split('\n');
    expect(first_line).toContain(protocol === 'holdout' ? 'reading' : 'ignored: test.csv');
  });

  test('evaluate --json prints one JSON object and nothing else', async () => {
    const holdout = ['holdout', '--data', '{}', '--test', '{}/test.csv', '--json'];
    const { code, stdout, stderr, folder } = await evaluate(...holdout);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(Object.keys(JSON.parse(stdout))).toEqual(['protocol', 'data', 'top_k', 'rows', 'verdict']);
    expect(JSON.parse(stdout)).toMatchObject({ protocol: 'holdout', data: folder, top_k: 20 });
  });

  test('evaluate --help explains the protocols and options', async () => {
    const all = await evaluate('--help');
    expect(all.code).toBe(0);
    for (const protocol of ['holdout', 'replay', 'trending']) expect(all.stdout).toContain(`  ${protocol} `);
    const replay = await evaluate('replay', '--help');
    for (const flag of ['--data', '--from ', '--from-share', '--events', '--sample', '--scoring', '--type'])
      expect(replay.stdout).toContain(flag);
    const trending = await evaluate('trending', '--help');
    for (const flag of [
      '--from',
      '--every',
      '--horizon',
      '--active-within',
      '--scoring',
      '--top-k',
      '--json',
    ])
      expect(trending.stdout).toContain(flag);
  });

  const data = ['--data', '{}'];
  const held_out = ['--test', '{}/test.csv'];
  const acts = 'view, like, comment, share, bookmark';

  test.each<[string, string[], string[]]>([
    ['no protocol', [], ['Usage: feedloom evaluate', 'holdout', 'replay', 'trending']],
    ['an unknown protocol', ['guess', ...data], ["unknown command 'guess'", 'holdout', 'replay', 'trending']],
    ['an unknown option', ['replay', ...data, '--fast'], ["unknown option '--fast'", '--from-share']],
    ['no folder', ['replay'], ["required option '--data <folder>'"]],
    ['a folder that is not there', ['replay', '--data', '{}/none'], ['there is no folder', 'none']],
    [
      'a test file that is not there',
      ['holdout', ...data, '--test', '{}/none.csv'],
      ['there is no file', 'none.csv'],
    ],
    ['no acts to hold out', ['holdout', ...data], ['name either --test or --hold-out', '--hold-out 20%']],
    [
      'an unknown scoring function',
      ['holdout', ...data, ...held_out, '--scoring', 'balanced_feed_v0.0.1,best'],
      ["no scoring function 'best' for for-you feeds", 'balanced_feed_v0.0.1'],
    ],
    [
      'a scoring function of another feed type',
      ['replay', ...data, '--scoring', 'trending_v0.0.1'],
      ["no scoring function 'trending_v0.0.1' for for-you feeds"],
    ],
    [
      'an unknown scoring function of trending',
      ['trending', ...data, '--from', FROM, '--scoring', 'best'],
      [
        "no scoring function 'best' for trending feeds",
        'Choose trending_v0.0.1, weighted_v0.0.1, learned_v0.0.1, newest_v0.0.1.',
      ],
    ],
    [
      'a scoring function that is not for trending',
      ['trending', ...data, '--from', FROM, '--scoring', 'balanced_feed_v0.0.1'],
      ["no scoring function 'balanced_feed_v0.0.1' for trending feeds"],
    ],
    [
      'no scoring function of trending',
      ['trending', ...data, '--from', FROM, '--scoring', ','],
      ['names no scoring function'],
    ],
    ['a scoring function of wallets', ['alpha', ...data, '--scoring', 'a'], ["unknown option '--scoring'"]],
    [
      'an unknown feed type',
      ['replay', ...data, '--type', 'mine'],
      ['--type must be one of for-you, trending, popular'],
    ],
    ['an unknown event', ['replay', ...data, '--events', 'like,love'], [`some of ${acts}`, "'love'"]],
    ['an event that pages should not predict', ['replay', ...data, '--events', 'like,hide'], ["not 'hide'"]],
    ['no scoring function', ['replay', ...data, '--scoring', ','], ['names no scoring function']],
    ['an argument too many', ['replay', ...data, '--scoring', 'a,', 'b'], ['too many arguments']],
    ['no event', ['replay', ...data, '--events', ','], [`some of ${acts}`]],
    ['two starts', ['replay', ...data, '--from', FROM, '--from-share', '0.5'], ['exclude each other']],
    [
      'a start that is no time',
      ['trending', ...data, '--from', 'noon'],
      ['--from must be epoch seconds in plain digits, or like 2024-02-29', "'noon'"],
    ],
    ['no start', ['trending', ...data], ["required option '--from <time>'"]],
    ['a share beyond 1', ['replay', ...data, '--from-share', '1.5'], ['from 0 to less than 1']],
    ['no share', ['replay', ...data, '--from-share', ''], ['from 0 to less than 1']],
    [
      'a duration without a unit',
      ['trending', ...data, '--from', FROM, '--every', '90'],
      ['such as 40m or 3h', "'90'"],
    ],
    ['no duration', ['trending', ...data, '--from', FROM, '--every', '0h'], ['--every must be above 0']],
    ['an empty page', ['replay', ...data, '--top-k', '0'], ['--top-k must be an integer from 1']],
    ['a page that is too long', ['replay', ...data, '--top-k', '501'], ['at most 500 on for-you feeds']],
    ['a seed that is none', ['replay', ...data, '--seed', '-1'], ['--seed must be an integer from 0']],
    [
      'a start after everything',
      ['replay', ...data, '--from', String(START + 99)],
      ['no user with two earlier interactions'],
    ],
    [
      'steps after everything',
      ['trending', ...data, '--from', String(START + 99)],
      ['no active item gains anything'],
    ],
    [
      'a plugin that is not there',
      ['replay', ...data, '--plugins', '{}/none.ts'],
      ['there is no such file or folder'],
    ],
  ])('evaluate refuses %s', async (_what, args, messages) => {
    const { code, stdout, stderr } = await evaluate(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const message of messages) expect(stderr).toContain(message);
  });

  const ACME = join(import.meta.dir, '../http/acme-plugin.ts');
  const withAcme = (id: string) => {
    const args = ['replay', ...data, '--from', FROM, '--json', '--plugins', ACME, '--scoring', id];
    return evaluate(...args);
  };

  test('evaluate measures scoring functions of plugins too', async () => {
    const { code, stdout } = await withAcme('acme/oldest_v1.0.0');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).rows[0]).toMatchObject({ name: 'acme/oldest_v1.0.0', hit_rate: 1 });
  });

  /** A scoring function that requires an option. */
  const WEIGHED = `
    import { definePlugin, defineScoringFunction, Type } from 'feedloom/plugin';
    export default definePlugin({
      meta: { name: 'acme', version: '1.0.0', api: 2 },
      scoring_functions: {
        'acme/weighed_v1.0.0': defineScoringFunction({
          summary: 'Likes, weighed.',
          options: Type.Object({ weight: Type.Number() }),
          compile: ({ weight }) => (request) => (item) => weight * request.item.likes_count(item),
        }),
      },
    });
  `;

  test('evaluate leaves out scoring functions that need options with a notice, unless one is named', async () => {
    const files = { 'interactions.csv': FILES['interactions.csv'], 'items.jsonl': FILES['items.jsonl'] };
    const plugins = folderWith({ 'weighed.ts': WEIGHED });
    const folder = folderWith(files);
    const args = ['replay', '--data', folder, '--from', FROM, '--json', '--plugins'];
    const all = await run('evaluate', ...args, join(plugins, 'weighed.ts'));
    expect({ code: all.code, stderr: all.stderr }).toEqual({
      code: 0,
      stderr: 'left out: acme/weighed_v1.0.0 (it cannot be used without options: weight is required)\n',
    });
    const names = JSON.parse(all.stdout).rows.map(({ name }: { name: string }) => name);
    expect(names).toContain('balanced_feed_v0.0.1');
    expect(names).not.toContain('acme/weighed_v1.0.0');
    const named = [join(plugins, 'weighed.ts'), '--scoring', 'balanced_feed_v0.0.1,acme/weighed_v1.0.0'];
    const { code, stdout, stderr } = await run('evaluate', ...args, ...named);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      "'acme/weighed_v1.0.0' cannot be used without options: weight is required [bad_setting]",
    );
  });

  test.each([
    ['replay', 'interactions.csv.gz', FILES['interactions.csv']],
    ['alpha', 'events.csv.gz', 'wallet_address,item_id,event_type,timestamp\n'],
  ])(
    'evaluate %s reports that nothing was evaluated if a file is truncated',
    async (protocol, name, text) => {
      const whole = Bun.gzipSync(text);
      const folder = folderWith({ [name]: whole.subarray(0, whole.length - 9) });
      const { code, stdout, stderr } = await run('evaluate', protocol, '--data', folder);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`${name}: cannot be read beyond line`);
      expect(stderr).toEndWith('[unreadable_file]\n  Nothing has been evaluated.\n');
    },
  );

  test('evaluate names a failing plugin and the cause', async () => {
    const { code, stdout, stderr } = await withAcme('acme/broken_v1.0.0');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('acme/broken_v1.0.0');
  });
});
