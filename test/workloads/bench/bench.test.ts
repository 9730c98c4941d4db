import { describe, expect, test } from 'bun:test';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { GROUPS } from '../../../workloads/bench/groups.ts';
import type { Ran } from '../../cli/run.ts';
import { ended } from '../../cli/run.ts';
import { environment, feedloom } from '../../support/feedloom.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { longTest } from '../../support/long.ts';

const MAIN = join(import.meta.dir, '../../../src/main.ts');

/**
 * The hash of the fixed pages of world S.
 *
 * It changes with everything that affects recommendations: the synthetic community, signals, sources, scoring, and
 * the order of the pipeline. If such a change is intended, update the value and give the reason in the commit.
 * Otherwise the ranking has changed by mistake.
 */
const ANSWERS_HASH = '9654b49816042a6a';
/** The same of pages that are recorded as seen, each viewer's after the ones before. */
const RECORDED_HASH = 'f4cdcdae77794b2c';

/** The measures of world S when run from sources. `executable_mb` needs the executable. */
const NAMES = [
  ...(process.platform === 'linux' ? ['for_you_cpu_us', 'trending_cpu_us', 'popular_cpu_us'] : []),
  'for_you_ratio',
  'trending_ratio',
  'popular_ratio',
  'first_pages_p99_ratio',
  'first_pages_common',
  'p99_over_p50',
  'selectivity_worst_ratio',
  'ingest_per_s',
  'ingest_read_p99_ratio',
  'visible_to_others_ms_p99',
  'scale_ratio',
  'replay_per_s',
  'ready_s',
  'first_feed_ms',
  'answers_hash',
  'recorded_hash',
];

interface Measure {
  name: string;
  value: number | string;
  unit: string;
  must: number | null;
  aim: number | null;
}

const folder = temporaryFolder('bench-test');

/** Runs `feedloom bench` as a user would. Temporary files are created in `folder`. */
function bench(...args: string[]): Promise<Ran> {
  return run([feedloom(), 'bench', ...args]);
}

/** The same from sources, whose group `executable` is left out. */
function benchOfSources(...args: string[]): Promise<Ran> {
  return run([process.execPath, MAIN, 'bench', ...args]);
}

async function run(command: string[]): Promise<Ran> {
  const child = Bun.spawn(command, {
    cwd: folder,
    env: environment({ TMPDIR: folder }),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  return ended(child);
}

describe('feedloom bench', () => {
  longTest(
    'measures world S and prints only JSON, with the unchanged hashes of its answers',
    async () => {
      const { code, stdout, stderr } = await benchOfSources('--world', 'S', '--json');
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      const { world, measures }: { world: string; measures: Measure[] } = JSON.parse(stdout);
      expect(world).toBe('S');
      expect(measures.map(({ name }) => name)).toEqual(NAMES);
      for (const measure of measures) {
        expect(Object.keys(measure)).toEqual(['name', 'value', 'unit', 'must', 'aim']);
        if (!measure.name.endsWith('_hash')) expect(Number(measure.value)).toBeGreaterThan(0);
      }
      expect(measures.find(({ name }) => name === 'first_feed_ms')).toMatchObject({ must: 500, aim: 150 });
      expect(measures.find(({ name }) => name === 'answers_hash')?.value).toBe(ANSWERS_HASH);
      expect(measures.find(({ name }) => name === 'recorded_hash')?.value).toBe(RECORDED_HASH);
      expect(readdirSync(folder)).toEqual([]);
    },
    300_000,
  );

  test('rejects an unknown world', async () => {
    const refused = await bench('--world', 'XL');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("there is no world 'XL'");
    expect(refused.stderr).toContain('Choose --world S or M or L.');
  });

  longTest(
    'measures another program on a kept world, with only the groups of --only',
    async () => {
      const only_hash = ['--json', '--keep', 'kept', '--only', 'hash'];
      const own = await bench(...only_hash);
      expect(own.stderr).toContain('building world S');
      const other = await bench(...only_hash, '--program', MAIN);
      expect(other.stderr).not.toContain('building');
      for (const { code, stdout } of [own, other]) {
        expect(code).toBe(0);
        const { measures }: { measures: Measure[] } = JSON.parse(stdout);
        expect(measures.map(({ name, value }) => [name, value])).toEqual([
          ['answers_hash', ANSWERS_HASH],
          ['recorded_hash', RECORDED_HASH],
        ]);
      }
      expect(readdirSync(join(folder, 'kept'))).toEqual(['world-S']);
      rmSync(join(folder, 'kept'), { recursive: true });
    },
    120_000,
  );

  longTest(
    'compares the CPU time of two programs',
    async () => {
      const compared = await bench('--json', '--only', 'compare', '--against', MAIN);
      expect(compared.code).toBe(0);
      const { measures }: { measures: Measure[] } = JSON.parse(compared.stdout);
      const ratios = ['for_you_cpu_ratio', 'trending_cpu_ratio', 'popular_cpu_ratio', 'breadth_cpu_ratio'];
      expect(measures.map(({ name }) => name)).toEqual(process.platform === 'linux' ? ratios : []);
      for (const { value } of measures) expect(Number(value)).toBeGreaterThan(0);
    },
    300_000,
  );

  test.each([
    [
      ['--only', 'pages', 'sizes'],
      "there is no group 'sizes'",
      'Choose from memory, start, hash, compare, first-pages, pages,',
    ],
    [['--only', 'memory'], 'world S cannot show the memory of one record', 'choose --world M'],
    [['--only', 'executable', '--program', MAIN], 'the measured program runs from sources', 'with --program'],
    [['--only', 'compare'], '--only compare: name the other Feedloom', 'with --against'],
    [['--only', 'hash', '--against', MAIN], '--against is for the group compare', 'which --only leaves out'],
    [['--program', 'nowhere'], "there is no file 'nowhere'", 'Name an executable of Feedloom'],
    [['--program', join(MAIN, '../../package.json')], 'is not executable', 'Name an executable of Feedloom'],
    [['--program', process.execPath], 'does not answer --help as Feedloom does', 'Name an executable'],
  ])('refuses %j and says what is allowed', async (flags, reason, remedy) => {
    const refused = await bench(...flags);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(reason);
    expect(refused.stderr).toContain(remedy);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('lists the groups of --only in its help', async () => {
    const { stdout } = await bench('--help');
    for (const name of Object.keys(GROUPS)) expect(stdout).toMatch(new RegExp(`^  ${name} +\\w`, 'm'));
  });

  test('leaves no files behind if it is interrupted', async () => {
    const child = Bun.spawn([feedloom(), 'bench', '--keep', 'kept'], {
      cwd: folder,
      env: {},
      stdout: 'ignore',
      stderr: 'pipe',
    });
    const reader = child.stderr.getReader();
    await reader.read();
    child.kill('SIGTERM');
    expect(await child.exited).toBe(130);
    expect(readdirSync(join(folder, 'kept'))).toEqual([]);
  });
});
