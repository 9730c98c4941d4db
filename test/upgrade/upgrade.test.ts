import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagnosisOf } from '../cli/doctor-support.ts';
import { run } from '../cli/run.ts';
import { feedloom } from '../support/feedloom.ts';
import { temporaryFolder } from '../support/folder.ts';
import { longTest } from '../support/long.ts';
import { fillingCalls, pageCalls } from './community.ts';
import { type Page, pagesOf, serve } from './service.ts';

/**
 * Data that older versions have written: `fixtures/<commit>/`, made by `write-fixture.ts` with a program of that
 * commit. Other data of the same age is in `test/store`, where migrations are undone one by one.
 */

const FIXTURES = join(import.meta.dir, 'fixtures');
const VERSIONS = readdirSync(FIXTURES);
/** The size of all fixtures together. */
const BYTES_MAX = 300_000;

const root = temporaryFolder('upgrade');

/** The data folder of a version, as that version left it. */
function unpacked(version: string): string {
  const data = mkdtempSync(join(root, 'data-'));
  for (const file of ['feedloom.sqlite', 'feedloom-wallets.sqlite'])
    writeFileSync(join(data, file), Bun.gunzipSync(readFileSync(join(FIXTURES, version, `${file}.gz`))));
  return data;
}

function recordedPages(version: string): Record<string, Page> {
  return JSON.parse(readFileSync(join(FIXTURES, version, 'pages.json'), 'utf8'));
}

async function pagesOn(data: string): Promise<Record<string, Page>> {
  const service = await serve([feedloom()], data);
  const pages = await pagesOf(service, pageCalls());
  await service.stop();
  return pages;
}

/** Pages of wallets break ties by when items became known, which differs between two fillings. */
function withoutTies(pages: Record<string, Page>): Record<string, Page> {
  return Object.fromEntries(
    Object.entries(pages).map(([name, page]) => [
      name,
      name.startsWith('GET /base/') ? page.toSorted() : page,
    ]),
  );
}

async function diagnosed(data: string) {
  const { code, findings } = diagnosisOf(await run('verify', '--json', '--data', data));
  return { code, faults: findings.filter(({ level }) => level !== 'ok') };
}

describe.each(VERSIONS)('data that the commit %s has written', (version) => {
  test('gives the pages that this version makes of the same records, and has no fault', async () => {
    const data = unpacked(version);
    const before = await run('verify', '--data', data);
    expect([before.code, before.stderr]).toEqual([2, expect.stringContaining('[data_outdated]')]);
    const upgraded = await pagesOn(data);
    const fresh = mkdtempSync(join(root, 'fresh-'));
    const service = await serve([feedloom()], fresh);
    for (const call of fillingCalls()) await service.call(call);
    await service.stop();
    expect(withoutTies(upgraded)).toEqual(withoutTies(await pagesOn(fresh)));
    expect(await diagnosed(data)).toEqual({ code: 0, faults: [] });
    // The second start has nothing to migrate.
    expect(await pagesOn(data)).toEqual(upgraded);
  });

  test('logs what the upgrade moves, and gives the popular and trending pages that it gave then', async () => {
    const service = await serve([feedloom()], unpacked(version));
    expect(service.start_log).toContain('"percent":100,"pages_done":6,"pages_total":6');
    expect(service.start_log).toContain('moving recorded pages to rows of viewers');
    const upgraded = await pagesOf(service, pageCalls());
    await service.stop();
    const recorded = recordedPages(version);
    expect(Object.keys(upgraded)).toEqual(Object.keys(recorded));
    // Personal pages are chosen by mathematics that may change with a version.
    const steady = Object.keys(recorded).filter((name) => /\/(popular|trending)\b/.test(name));
    expect(steady.length).toBeGreaterThan(10);
    for (const name of steady) expect([name, upgraded[name]]).toEqual([name, recorded[name]]);
  });

  test('moves its recorded pages to a row a viewer, as a dry run says before', async () => {
    const data = unpacked(version);
    const upgrade = (...flags: string[]) => run('upgrade', ...flags, '--data', data);
    const plan = await upgrade('--dry-run');
    expect(plan.stdout).toMatch(/^content: migrations .*0029_seen, .*0031_seen_filled/);
    expect(plan.stdout).toContain(
      'recorded pages move to the table seen: 6 pages of 6 viewers with 24 items',
    );
    expect(plan.stdout).toContain('left out, because their viewers were erased: 0 pages');
    expect(plan.stdout).toContain('wallets: migrations ');
    expect(await upgrade('--dry-run')).toEqual(plan);
    expect((await upgrade()).code).toBe(0);
    const { stdout } = await upgrade('--dry-run');
    expect(stdout).toBe('content: the data is of this version\nwallets: the data is of this version\n');
    const database = new Database(join(data, 'feedloom.sqlite'), { readonly: true });
    expect(database.query('select count(distinct viewer) from seen').values()).toEqual([[6]]);
    database.close();
    expect(await diagnosed(data)).toEqual({ code: 0, faults: [] });
  });

  longTest(
    'can be backed up after the first start, and a restore gives the same pages',
    async () => {
      const data = unpacked(version);
      const pages = await pagesOn(data);
      const folder = mkdtempSync(join(root, 'backup-'));
      const [file, restored] = [join(folder, 'monday.sqlite'), join(folder, 'restored')];
      expect((await run('backup', file, '--data', data)).code).toBe(0);
      expect((await run('restore', file, '--data', restored)).code).toBe(0);
      expect(await pagesOn(restored)).toEqual(pages);
      expect(await diagnosed(restored)).toEqual({ code: 0, faults: [] });
    },
    60_000,
  );
});

test('the fixtures are small', () => {
  const files = readdirSync(FIXTURES, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const bytes = files.reduce((sum, { parentPath, name }) => sum + Bun.file(join(parentPath, name)).size, 0);
  expect(bytes).toBeLessThan(BYTES_MAX);
});
