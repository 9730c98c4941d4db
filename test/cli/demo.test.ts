import { beforeEach, describe, expect, test } from 'bun:test';
import { fillDemo } from '../../src/cli/demo.ts';
import { ManualClock } from '../../src/clock.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openTestService, START, type TestService } from '../support/service.ts';
import { start } from './run.ts';

let data: string;
beforeEach(() => {
  data = temporaryFolder('demo');
});

/** How many users, items, interactions, wallets and tokens there are. */
function counts({ service: { state, alpha } }: TestService): number[] {
  const users = Array.from({ length: state.users.size }, (_, user) => user);
  const wallets = alpha.community?.state;
  return [
    state.users.size,
    state.items.size,
    users.reduce((sum, user) => sum + state.interactions.by_user.length(user), 0),
    wallets?.users.size ?? 0,
    wallets?.items.size ?? 0,
  ];
}

const never = new AbortController().signal;

/** A signal that is aborted after it was read this many times. */
function abortedAfter(times: number): AbortSignal {
  let asked = 0;
  return {
    get aborted() {
      return asked++ >= times;
    },
  } as AbortSignal;
}

describe('the samples of the demo', () => {
  test('the next start completes the samples of an interrupted start, with the same time', async () => {
    const whole = await openTestService({ clock: new ManualClock(START) });
    await fillDemo(whole.service, whole.dir, never);
    const expected = counts(whole);
    expect(expected.every((count) => count > 0)).toBe(true);
    await whole.close();
    const clock = new ManualClock(START);
    for (const times of [1, 4]) {
      const cut = await openTestService({ data, clock });
      await fillDemo(cut.service, data, abortedAfter(times));
      expect(counts(cut)).not.toEqual(expected);
      await cut.close();
      clock.advance(86_400);
    }
    await using again = await openTestService({ data, clock });
    await fillDemo(again.service, data, never);
    expect(counts(again)).toEqual(expected);
    const { seq } = again.service.state;
    await fillDemo(again.service, data, never);
    expect(again.service.state.seq).toBe(seq);
  });

  test('the samples are not mixed with data that the demo did not create', async () => {
    const opened = await openTestService({ data });
    await opened.service.ingest.ingest('users', [{ user_id: 'real' }]);
    await expect(fillDemo(opened.service, data, never)).rejects.toMatchObject({ code: 'not_demo_data' });
    expect(opened.service.alpha.community).toBeUndefined();
    await opened.close();
    const child = start('demo', '--data', data, '--port', '0');
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([
      2,
      expect.stringContaining('[not_demo_data]'),
    ]);
  });
});

test.each<[string, string[], boolean]>([
  ['makes a key of its own, says that the next start has another', [], true],
  ['is given a key, says nothing of the kind', ['--api-key', 'a-key-of-my-own-choice'], false],
])('the demo that %s', async (_, flags, told) => {
  const child = start('demo', '--data', data, '--port', '0', ...flags);
  let printed = '';
  for await (const chunk of child.stdout) {
    const is_up = printed.includes('Stop with');
    printed += Buffer.from(chunk).toString();
    if (!is_up && printed.includes('Stop with')) child.kill('SIGTERM');
  }
  expect(await child.exited).toBe(0);
  expect(printed.includes('Each start creates another key')).toBe(told);
  const key = told ? 'fl_' : 'a-key-of-my-own-choice';
  expect(printed).toContain(`-H 'authorization: Bearer ${key}`);
  expect(printed).toMatch(/Console: http:\/\/127\.0\.0\.1:\d+\/console#code=[\w-]{43} /);
  expect(printed).toMatch(/Documents: http:\/\/127\.0\.0\.1:\d+\/docs\n/);
  expect(printed).toMatch(/In a browser: http:\/\/127\.0\.0\.1:\d+\/swagger /);
  expect(printed).toContain(`Authorization: Bearer ${key}`);
});

test('two signals at once, as a terminal and a parent send them, stop the service cleanly', async () => {
  const child = start('serve', '--data', data, '--port', '0');
  const reader = child.stdout.getReader();
  const says = async (words: string) => {
    for (let said = ''; !said.includes(words); ) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`it ended: ${said}${await new Response(child.stderr).text()}`);
      said += new TextDecoder().decode(value);
    }
  };
  await says('listening on');
  child.kill('SIGINT');
  await says('stopping');
  child.kill('SIGINT');
  expect(await child.exited).toBe(0);
});
