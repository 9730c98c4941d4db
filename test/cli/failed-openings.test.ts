import { expect, spyOn, test } from 'bun:test';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { backup } from '../../src/cli/backup.ts';
import { exportFolder } from '../../src/cli/export.ts';
import { runService } from '../../src/cli/run-service.ts';
import { KeyRing } from '../../src/http/identity/auth.ts';
import { readSettings } from '../../src/settings.ts';
import { databaseFile } from '../../src/store/sqlite/connection.ts';
import { TimedReads } from '../../src/store/timed-reads.ts';
import { folderWith } from '../interchange/support.ts';

/** Runs a service once. @returns the files that it leaves in its data folder */
async function run(data: string): Promise<string[]> {
  const settings = { ...readSettings({}), data, port: 0, api_key: 'key' };
  const running = await runService(settings, 'test', pino({ enabled: false }));
  await running.stop();
  return readdirSync(data).sort();
}

const LATE_STEPS = [
  ['the keys', () => spyOn(KeyRing.prototype, 'refresh')],
  ['what was learnt', () => spyOn(TimedReads.prototype, 'load')],
] as const;

test.each(LATE_STEPS)('a start that fails while it reads %s releases its data', async (_, watch) => {
  const data = folderWith({});
  const left = await run(data);
  const failing = watch().mockRejectedValueOnce(new Error('the server is gone'));
  try {
    await expect(run(data)).rejects.toThrow('the server is gone');
  } finally {
    failing.mockRestore();
  }
  expect(readdirSync(data).sort()).toEqual(left);
  expect(await run(data)).toEqual(left);
});

test.each([
  ['an export', exportFolder],
  ['a backup', backup],
])('%s that cannot open the database of wallets releases the other database', async (_, command) => {
  const folder = folderWith({});
  const data = join(folder, 'data');
  await run(data);
  writeFileSync(databaseFile(data, 'wallets'), 'noise'.repeat(2000));
  const left = readdirSync(data).sort();
  const settings = { ...readSettings({}), data };
  await expect(command(settings, join(folder, 'out'), { gzip: false, force: false })).rejects.toThrow(
    `the database '${databaseFile(data, 'wallets')}' cannot be opened`,
  );
  expect(readdirSync(data).sort()).toEqual(left);
});
