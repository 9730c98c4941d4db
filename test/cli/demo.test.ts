import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { FeedloomClient } from '../../openapi/client/src/index.ts';
import { fillDemo } from '../../src/cli/demo.ts';
import { ManualClock } from '../../src/clock.ts';
import { readResults } from '../../src/experiments/results.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openTestService, START, type TestService } from '../support/service.ts';
import { start } from './run.ts';

let data: string;
beforeEach(() => {
  data = temporaryFolder('demo');
});

/** The data of a demo that was filled at `START`, for tests that only read it. */
let filled: string;
/** What is in it. */
let expected: Awaited<ReturnType<typeof contentsOf>>;
beforeAll(async () => {
  filled = temporaryFolder('demo');
  await using opened = await open(filled, new ManualClock(START));
  await fillDemo(opened, filled, never);
  expected = await contentsOf(opened);
});

function open(folder: string, clock: ManualClock): Promise<TestService> {
  return openTestService({ data: folder, clock, opening: { logs_shown: true } });
}

/** How many users, items, interactions, wallets and tokens there are; the days of feeds; the results of experiments. */
async function contentsOf({ service: { state, alpha, experiments } }: TestService) {
  const users = Array.from({ length: state.users.size }, (_, user) => user);
  const wallets = alpha.community?.state;
  const counts = [
    state.users.size,
    state.items.size,
    users.reduce((sum, user) => sum + state.interactions.by_user.length(user), 0),
    wallets?.users.size ?? 0,
    wallets?.items.size ?? 0,
  ];
  const found = experiments
    .list('default')
    .map(({ number }) => readResults(experiments, `exp_${number}`, 'default'));
  const results = (await Promise.all(found)).map(({ results: { variants } }) =>
    variants.map(({ viewers, pages, impressions, rates }) => ({ viewers, pages, impressions, rates })),
  );
  return { counts, days: [...state.feed_days.until(START)], results };
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
    const clock = new ManualClock(START);
    for (const times of [1, 4]) {
      const cut = await open(data, clock);
      await fillDemo(cut, data, abortedAfter(times));
      expect((await contentsOf(cut)).counts).not.toEqual(expected.counts);
      await cut.close();
      clock.set(START + 86_400);
    }
    await using again = await open(data, clock);
    await fillDemo(again, data, never);
    expect(await contentsOf(again)).toEqual(expected);
    const { seq } = again.service.state;
    await fillDemo(again, data, never);
    expect(again.service.state.seq).toBe(seq);
  });

  test('the samples are not mixed with data that the demo did not create', async () => {
    const opened = await openTestService({ data });
    await opened.service.ingest.ingest('users', [{ user_id: 'real' }]);
    await expect(fillDemo(opened, data, never)).rejects.toMatchObject({ code: 'not_demo_data' });
    expect(opened.service.alpha.community).toBeUndefined();
    await opened.close();
    const child = start('demo', '--data', data, '--port', '0');
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([
      2,
      expect.stringContaining('[not_demo_data]'),
    ]);
  });
});

/** Starts the demo on the filled data, lets `visit` read what it printed, and stops it. */
async function withDemo(
  flags: readonly string[],
  visit: (printed: string) => void | Promise<void>,
): Promise<void> {
  const now = new Date(START * 1000).toISOString();
  const child = start('demo', '--data', filled, '--port', '0', '--now', now, ...flags);
  let printed = '';
  for await (const chunk of child.stdout) {
    const is_up = printed.includes('Stop with');
    printed += Buffer.from(chunk).toString();
    if (is_up || !printed.includes('Stop with')) continue;
    await visit(printed);
    child.kill('SIGTERM');
  }
  expect(await child.exited).toBe(0);
}

test.each<[string, string[], boolean]>([
  ['makes a key of its own, says that the next start has another', [], true],
  ['is given a key, says nothing of the kind', ['--api-key', 'a-key-of-my-own-choice'], false],
])('the demo that %s', (_, flags, told) =>
  withDemo(flags, (printed) => {
    expect(printed.includes('Each start creates another key')).toBe(told);
    const key = told ? 'fl_' : 'a-key-of-my-own-choice';
    expect(printed).toContain(`-H 'authorization: Bearer ${key}`);
    expect(printed).toMatch(/Console: http:\/\/127\.0\.0\.1:\d+\/console#code=[\w-]{43} /);
    expect(printed).toMatch(/Documents: http:\/\/127\.0\.0\.1:\d+\/docs\n/);
    expect(printed).toMatch(/In a browser: http:\/\/127\.0\.0\.1:\d+\/swagger /);
    expect(printed).toContain(`Authorization: Bearer ${key}`);
    expect(printed).toContain('All of it is made up');
  }),
);

test('the demo has five feeds with full pages, an experiment with a result, one that runs, reports and traffic', () =>
  withDemo([], async (printed) => {
    const found = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? '';
    const [address, key] = [found(/^ {2}(http:\S+)$/m), found(/Authorization: Bearer (\S+)/)];
    const user_id = found(/"user_id":"(\w+)"/);
    const api = new FeedloomClient({ url: address, key });
    const { data: feeds } = await api.listFeeds({});
    expect(feeds.map(({ name }) => name)).toEqual([
      'Newcomers',
      'Music in English',
      'Latest',
      'Following',
      'For you',
    ]);
    for (const { config_id: feed_id, endpoint, description } of feeds) {
      const type = endpoint === 'feeds/popular' ? 'popular' : 'for-you';
      const { body } = await api.feed(type, { feed_id, user_id, top_k: 25 });
      expect([feed_id, body.length]).toEqual([feed_id, 25]);
      expect(new Set(body.map(({ source_feed }) => source_feed)).size).toBe(1);
      expect(body[0].source_feed).toEndWith(feed_id);
      expect(description).toContain('made up');
    }
    const experimentOf = async (id: string) =>
      (await api.call('GET', '/api/experiments/{id}', { path: { id } })).data;
    const [ran, runs] = [await experimentOf('exp_1'), await experimentOf('exp_2')];
    for (const { name } of [ran, runs]) expect(name).toContain('made up');
    expect([ran.status, runs.status]).toEqual(['stopped', 'running']);
    const { started_at, ended_at = 0, comparison, sample_ratio } = ran.results;
    expect(ended_at - started_at).toBe(14 * 86_400);
    expect(sample_ratio?.ok).toBe(true);
    expect(comparison[0]).toMatchObject({ metric: 'interactions', decided: true });
    expect(comparison[0].ci_low).toBeGreaterThan(0);
    const { data: totals } = await api.call('GET', '/api/totals', {});
    expect(new Set(totals.days.map(({ day }) => day)).size).toBe(30);
    expect(totals.days.reduce((sum, { acts }) => sum + acts, 0)).toBeGreaterThan(1_000);
    const { reports } = await api.call('GET', '/v2/{network}/reports', {});
    expect(reports.length).toBeGreaterThan(5);
  }));

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
