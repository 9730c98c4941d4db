import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type Running, runService } from '../../src/cli/run-service.ts';
import { readSettings } from '../../src/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'feedloom-run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(name: string, port: number): Promise<Running> {
  const settings = { ...readSettings({}), data: join(folder, name), port, api_key: 'key' };
  return runService(settings, 'test', pino({ enabled: false }));
}

test('a port that another service has is refused, whatever data it would serve', async () => {
  const running = await run('one', 0);
  try {
    const port = Number(new URL(running.address).port);
    for (const name of ['one', 'two']) {
      const [{ reason }] = (await Promise.allSettled([run(name, port)])) as [PromiseRejectedResult];
      expect([reason.code, reason.message]).toEqual(['cannot_listen', expect.stringContaining(`:${port}`)]);
    }
    expect((await fetch(`${running.address}/readyz`)).status).toBe(200);
  } finally {
    await running.stop();
  }
});
