import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment, feedloom } from '../support/feedloom.ts';
import { freePort } from '../support/free-port.ts';
import { samples } from '../support/samples.ts';

const FEED = '/v2/farcaster/casts/feed/popular';

/** A plugin whose failures are logged with their cause. */
const FAILING = `
  import { Type } from 'feedloom/plugin';
  const fail = () => { throw new Error('it failed'); };
  const filter = { summary: 'For tests.', kind: 'inclusion', options: Type.Object({}), compile: fail };
  export default { meta: { name: 'failing', version: '1.0.0', api: 2 }, filters: { 'failing/f': filter } };
`;

describe.skipIf(process.platform !== 'linux').each(['info', 'debug'])(
  'a service whose log is full from the start, at level %s',
  (level) => {
    const folder = mkdtempSync(join(tmpdir(), 'feedloom-full-log-'));
    const full = openSync('/dev/full', 'w');
    const port = freePort();
    const call = (path: string, body?: unknown) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: 'Bearer key-of-the-tests', 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    const metrics = async () => samples(await (await call('/metrics')).text());
    let child: Bun.Subprocess<'ignore', number, 'pipe'>;

    beforeAll(async () => {
      const plugin = join(folder, 'failing.ts');
      writeFileSync(plugin, FAILING);
      const args = ['--port', String(port), '--data', join(folder, 'data'), '--plugins', plugin];
      child = Bun.spawn([feedloom(), 'serve', ...args, '--log-level', level], {
        env: environment({ FEEDLOOM_API_KEY: 'key-of-the-tests' }),
        stdin: 'ignore',
        stdout: full,
        stderr: 'pipe',
      });
      const isReady = () =>
        call('/readyz').then(
          ({ ok }) => ok,
          () => false,
        );
      while (child.exitCode === null && !(await isReady())) await Bun.sleep(20);
    });
    afterAll(async () => {
      child.kill('SIGKILL');
      await child.exited;
      closeSync(full);
      rmSync(folder, { recursive: true, force: true });
    });

    test('a service whose log is full starts, answers as usual and ends every request', async () => {
      const before = (await metrics()).get('feedloom_log_lines_lost_total');
      expect(before).toBeGreaterThan(0);
      for (let time = 0; time < 5; time++) {
        const { status } = await call('/v2/farcaster/users', { user_id: `u${time}` });
        expect(status).toBe(200);
        expect((await call(FEED, { user_id: `u${time}` })).status).toBe(200);
        expect((await call('/nothing')).status).toBe(404);
        const failed = await call(FEED, { filters: { 'failing/f': {} } });
        expect([failed.status, await failed.json()]).toMatchObject([500, { code: 'plugin_failed' }]);
      }
      // The metrics may be a second old.
      let found = await metrics();
      while (found.get('feedloom_http_problems_total{code="plugin_failed"}') !== 5) found = await metrics();
      // Failures of one kind are one line. The request for the metrics itself is under way.
      expect(found.get('feedloom_requests_under_way')).toBe(1);
      expect(found.get('feedloom_http_problems_total{code="not_found"}')).toBe(5);
      expect(found.get('feedloom_http_problems_total{code="store_unavailable"}')).toBe(0);
      expect(found.get('feedloom_log_lines_lost_total')).toBeGreaterThan(before as number);
    });

    test('a service whose log is full stops cleanly at SIGTERM', async () => {
      child.kill('SIGTERM');
      expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, '']);
    });
  },
);
