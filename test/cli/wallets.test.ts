import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nft, token, wallet } from '../alpha/support.ts';
import { folderWith, readFiles } from '../interchange/support.ts';
import { run } from './run.ts';

const FILES = {
  'events.csv': `wallet_address,item_id,event_type,timestamp\n${wallet(1)},${nft(1, 1)},mint,1700000000\n`,
  'tokens.jsonl': `{"item_id":"${token(2)}","created_at":1690000000,"symbol":"T"}\n`,
};

describe('feedloom import and export', () => {
  test('an import and an export include wallets', async () => {
    const folder = folderWith(FILES);
    const work = folderWith({});
    const data = join(work, 'data');
    const imported = await run('import', folder, '--data', data);
    expect({ code: imported.code, stderr: imported.stderr }).toEqual({ code: 0, stderr: '' });
    expect(imported.stdout).toContain('events.csv    1 accepted (0 unchanged), 0 rejected\n');
    expect(existsSync(join(data, 'feedloom-wallets.sqlite'))).toBe(true);
    const exported = await run('export', join(work, 'out'), '--data', data);
    expect(exported.stdout).toContain('events.csv           1 record\n');
    expect(readFiles(join(work, 'out'))).toEqual(FILES);
    const refused = await run('export', join(work, 'out'), '--data', data);
    expect([refused.code, refused.stderr.includes('events.csv')]).toEqual([2, true]);
  });

  test('an import and an export include wallets of another chain if it is named', async () => {
    const folder = folderWith({ 'events.csv': FILES['events.csv'].replace('base.', 'ethereum.') });
    const work = folderWith({});
    const chain = ['--chain', 'ethereum'];
    const { code, stdout } = await run('import', folder, '--data', join(work, 'data'), ...chain);
    expect(stdout).toMatch(/events.csv +1 accepted/);
    expect(code).toBe(0);
  });

  test('an import of content alone creates no community of wallets', async () => {
    const folder = folderWith({ 'follows.csv': 'user_id,target_user_id,timestamp\na,b,1000\n' });
    const work = folderWith({});
    const data = join(work, 'data');
    expect((await run('import', folder, '--data', data)).code).toBe(0);
    expect(existsSync(join(data, 'feedloom-wallets.sqlite'))).toBe(false);
    expect((await run('export', join(work, 'out'), '--data', data)).code).toBe(0);
    expect(Object.keys(readFiles(join(work, 'out')))).toEqual(['follows.csv']);
  });
});

describe('feedloom serve', () => {
  test.each([
    [['--metadata-provider', 'unknown'], "there is no metadata provider 'unknown'", 'catalog'],
    [['--metadata-provider', 'http'], 'needs a URL', 'FEEDLOOM_METADATA_URL'],
    [['--metadata-provider', 'http', '--metadata-url', 'https://example.com/'], 'needs a URL', '{item_id}'],
    [['--metadata-provider', 'http', '--metadata-url', 'ftp://x/{item_id}'], 'needs a URL', '{item_id}'],
    [['--metadata-url', 'foo'], "'catalog' has no option 'url'", 'FEEDLOOM_METADATA_PROVIDER'],
    [['--chain', 'a/b'], '--chain', 'letters'],
    [['--api-key', ''], '--api-key', 'must not be empty'],
  ])('serve refuses impossible settings of the alpha API: %j', async (flags, reason, remedy) => {
    const data = folderWith({});
    const { code, stderr } = await run('serve', '--data', data, '--port', '0', ...flags);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
    expect(stderr).toContain(remedy);
  });
});
