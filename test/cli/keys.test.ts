import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { executableInEmptyFolder, type Running, startIn } from '../executable/support.ts';
import { folderWith } from '../interchange/support.ts';
import { type Ran, run } from './run.ts';

const HEADER = ['id', 'account', 'name', 'scopes', 'created', 'last_use', 'expires', 'state'];

/** The columns of every key that `keys list` prints, under its header. */
function columns({ stdout }: Ran): Record<string, string>[] {
  const [header, ...lines] = stdout.trimEnd().split('\n');
  expect(header.split('\t')).toEqual(HEADER);
  return lines.map((line) => {
    const cells = line.split('\t');
    expect(cells).toHaveLength(HEADER.length);
    return Object.fromEntries(cells.map((cell, at) => [HEADER[at], cell]));
  });
}

test('keys create prints the key alone on stdout and its id alone on stderr', async () => {
  const data = folderWith({});
  const create = ['keys', 'create', '--account', 'acme', '--data', data];
  await run(...create);
  const { code, stdout, stderr } = await run(...create);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^fl_[\w-]{43}\n$/);
  expect(stderr).toMatch(/^key_[\w-]{12}\n$/);
  const listed = await run('keys', 'list', '--data', data);
  expect(columns(listed).map(({ id }) => id)).toContain(stderr.trim());
  expect(listed.stdout).not.toContain(stdout.trim());
});

test('keys list has a column for each property of a key, and - for absent values', async () => {
  const data = folderWith({});
  const place = ['--data', data];
  const scopes = ['--scope', 'feed:read', 'ingest:write'];
  const named = ['--name', 'phone \u202eapp', '--expires', '90d'];
  await run('keys', 'create', '--account', 'acme', ...scopes, ...named, ...place);
  const plain = (await run('keys', 'create', '--account', 'other', ...place)).stderr.trim();
  expect((await run('keys', 'revoke', plain, ...place)).stdout).toBe(`revoked ${plain}\n`);
  const [first, second] = columns(await run('keys', 'list', ...place));
  expect(first).toMatchObject({
    account: 'acme',
    name: 'phone \\u202eapp',
    scopes: 'feed:read ingest:write',
    last_use: '-',
    state: 'active',
  });
  const lasts_days = (Date.parse(first.expires) - Date.parse(first.created)) / 86_400_000;
  expect(lasts_days).toBe(90);
  expect(second).toMatchObject({ account: 'other', name: '-', expires: '-', state: 'revoked' });
  expect(second.scopes).toBe('feed:read config:write ingest:write');
});

test.each([
  [['--expires', '90'], '--expires must be a number of s, m, h or d in plain digits, such as 40m or 3h, not'],
  [['--expires', '90days'], 'a number of s, m, h or d'],
  [['--expires', '0d'], '--expires must be above 0 and at most'],
  [['--expires', '1e9d'], 'a number of s, m, h or d'],
  [['--name', ''], 'the name of a key is 1 to 100 characters'],
  [['--name', 'two\tcolumns'], 'the name of a key is 1 to 100 characters'],
  [['--scope', 'feed:write'], 'scopes are feed:read, config:write, ingest:write'],
])('keys create %p is refused with the allowed values', async (flags, allowed) => {
  const data = folderWith({});
  const { code, stdout, stderr } = await run('keys', 'create', '--account', 'a', ...flags, '--data', data);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(allowed);
});

test('while a service runs keys are created, expire, are revoked, and show their last use', async () => {
  const folder = executableInEmptyFolder();
  const service = await startIn(folder, ['--data', 'data']);
  try {
    const place = ['--data', join(folder, 'data')];
    const create = (...flags: string[]) => run('keys', 'create', '--account', 'acme', ...flags, ...place);
    const statusWith = async ({ stdout }: Ran): Promise<number> => {
      const headers = { authorization: `Bearer ${stdout.trim()}` };
      return (await fetch(`${service.address}/api/plugins`, { headers })).status;
    };
    const until = async (is: () => Promise<boolean>) => {
      while (!(await is())) await Bun.sleep(20);
    };
    const lasting = await create();
    await until(async () => (await statusWith(lasting)) === 200);
    const brief = await create('--expires', '1s');
    // The service loads changed keys twice a second, so it may or may not accept this key before it expires.
    await until(async () => columns(await run('keys', 'list', ...place))[1].state === 'expired');
    expect(await statusWith(brief)).toBe(401);
    await until(async () => columns(await run('keys', 'list', ...place))[0].last_use !== '-');
    await run('keys', 'revoke', lasting.stderr.trim(), ...place);
    await until(async () => (await statusWith(lasting)) === 401);
    expect(await service.stop()).toBe(0);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a restored backup has the audit log, and accepts viewer tokens that were created before', async () => {
  const folder = executableInEmptyFolder();
  const running: Running[] = [];
  const start = async (data: string): Promise<Running> => {
    const service = await startIn(folder, ['--data', data]);
    running.push(service);
    return service;
  };
  try {
    const first = await start('data');
    const { body } = await first.post('/api/tokens', { user_id: 'ann', ttl_seconds: 3_600 });
    await first.post('/api/feed/config', { name: 'A feed' });
    const [data, file, restored] = ['data', 'backup.sqlite', 'restored'].map((name) => join(folder, name));
    expect(await run('backup', file, '--data', data)).toMatchObject({ code: 0 });
    expect(await run('restore', file, '--data', restored)).toMatchObject({ code: 0 });
    const second = await start('restored');
    const headers = { authorization: `Bearer ${body.token}` };
    const answer = await fetch(`${second.address}/v2/farcaster/feeds/for-you`, { method: 'POST', headers });
    expect(answer.status).toBe(200);
    const audit = await second.call('GET', '/api/audit');
    expect(audit.body.data).toMatchObject([{ action: 'feed.create', object: 'feed_1' }]);
  } finally {
    for (const service of running) await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
