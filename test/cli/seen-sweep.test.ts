import { expect, test } from 'bun:test';
import pino from 'pino';
import { type Running, runService } from '../../src/cli/run-service.ts';
import { readSettings, type Settings } from '../../src/settings.ts';
import { temporaryFolder } from '../support/folder.ts';

const NOW = 1_795_000_000;
const DAY = 86_400;

test('a service forgets strangers when it starts, if the settings say so', async () => {
  const data = temporaryFolder();
  const withService = async (given: Partial<Settings>, work: (running: Running) => Promise<void>) => {
    const settings = { ...readSettings({}), data, port: 0, api_key: 'key', ...given };
    const running = await runService(settings, 'test', pino({ enabled: false }));
    await work(running).finally(() => running.stop());
  };
  const call = ({ address }: Running, path: string, body?: unknown) =>
    fetch(`${address}/v2/farcaster/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': 'key', 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  await withService({ now: NOW }, async (running) => {
    await call(running, 'items', { item_id: 'a', author_id: 'author', created_at: NOW - 1 });
    await call(running, 'users', { user_id: 'known', username: 'known' });
    for (const user_id of ['guest', 'known'])
      await call(running, 'casts/feed/popular', { user_id, impression_count: 1 });
    expect((await call(running, 'users/guest')).status).toBe(200);
  });
  await withService({ now: NOW + 31 * DAY, seen_strangers_days: 30 }, async (running) => {
    while ((await call(running, 'users/guest')).status !== 404);
    expect(await (await call(running, 'users/known/export')).text()).toContain('"kind":"impression"');
  });
});
