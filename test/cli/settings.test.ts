import { expect, test } from 'bun:test';
import { run, runWith } from './run.ts';

test('a refused setting is named as it was typed', async () => {
  const allowed = "must be an integer from 0 to 65535 in plain digits, not 'http' [bad_setting]";
  const of_flag = await run('serve', '--port', 'http');
  expect([of_flag.code, of_flag.stderr]).toEqual([2, `feedloom: --port ${allowed}\n`]);
  const of_variable = await runWith({ FEEDLOOM_PORT: 'http' }, 'serve');
  expect([of_variable.code, of_variable.stderr]).toEqual([2, `feedloom: FEEDLOOM_PORT ${allowed}\n`]);
});

test('an unknown variable is reported and ignored', async () => {
  const { code, stdout, stderr } = await runWith({ FEEDLOOM_RETENTION: '30', FEEDLOOM_X: '' }, 'openapi');
  expect([code, stdout.startsWith('{')]).toEqual([0, true]);
  expect(stderr).toBe('feedloom: no such setting, ignored: FEEDLOOM_RETENTION, FEEDLOOM_X\n');
});
