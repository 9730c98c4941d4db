import { describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../simulation/support/service-process.ts';
import { longTest } from '../support/long.ts';
import { emptyDatabase } from '../support/prepared-data.ts';
import { Group } from './group.ts';
import { pageOf } from './processes.ts';
import { item, until } from './support.ts';

const ITEMS = '/v2/farcaster/items';
const POPULAR = '/v2/farcaster/feeds/popular';

/** The settings of each kind of store. */
const STORES: [string, () => Promise<Record<string, string>>][] = [
  ['the embedded store', async () => ({})],
  ['PostgreSQL', async () => ({ FEEDLOOM_DATABASE_URL: await emptyDatabase() })],
];

function idsOf({ body }: { body: { body: { item_id: string }[] } }): string[] {
  return body.body.map(({ item_id }) => item_id);
}

describe.each(STORES)('processes of one service on %s', (engine, settings) => {
  test('share one port, one leads, and any of them shows all', async () => {
    await using group = await Group.start(2, await settings());
    const answers = await group.fromAll(() => group.call('GET', '/api/nodes'));
    for (const { body } of answers) {
      const shown = body.data.map(({ process, role, url }: Record<string, unknown>) => [process, role, url]);
      expect(shown.toSorted()).toEqual([
        [1, 'leader', null],
        [2, 'follower', null],
      ]);
    }
    expect(await group.states()).toEqual([
      { process: 1, state: 'leader' },
      { process: 2, state: 'follower' },
    ]);
  });

  test('have every acknowledged write on the next page, whichever process took it and whichever builds the page', async () => {
    await using group = await Group.start(2, await settings());
    for (let number = 1; number <= 30; number++) {
      expect((await group.post(ITEMS, [item(`item${number}`)])).status).toBe(200);
      expect(idsOf(await group.post(POPULAR, { top_k: 100 }))).toContain(`item${number}`);
    }
    const event = {
      wallet_address: `0x${'1'.repeat(40)}`,
      item_id: `base.0x${'c'.repeat(40)}`,
      event_type: 'mint',
    };
    expect((await group.post('/base/events', event)).status).toBe(200);
    const pages = await group.fromAll(() => group.call('GET', '/base/feed/popular?top_k=5'));
    for (const { body } of pages) expect(body.items).toMatchObject([{ itemId: event.item_id }]);
  });

  const killed = engine === 'PostgreSQL' ? longTest : test;
  killed('lose no acknowledged write when the one that leads is killed, and another one leads', async () => {
    await using group = await Group.start(2, await settings());
    await group.post(ITEMS, [item('before')]);
    const leader = await group.settled(2);
    const stored = ['before'];
    const leads_before = group.leads;
    group.kill(leader);
    for (let number = 0; group.leads === leads_before; number++) {
      const answer = await group.tried(ITEMS, [item(`meanwhile${number}`)]);
      if (answer?.status === 200) stored.push(`meanwhile${number}`);
      else if (answer !== undefined)
        expect([answer.status, answer.headers.has('retry-after')]).toEqual([503, true]);
    }
    await until(
      () => group.tried(ITEMS, [item('after')]),
      (answer) => answer?.status === 200,
    );
    // On PostgreSQL the lease outlasts the process, so the one that was killed may lead again.
    const others = leader === 1 ? [2] : [1];
    expect(engine === 'PostgreSQL' ? [1, 2] : others).toContain(await group.settled(2));
    const pages = await group.fromAll(() => group.post(POPULAR, { top_k: 1000 }));
    for (const page of pages) expect(idsOf(page)).toEqual(expect.arrayContaining([...stored, 'after']));
  });
});

test('no item is shown twice to a viewer whose requests reach random processes, also at once', async () => {
  await using group = await Group.start(3);
  const items = Array.from({ length: 120 }, (_, at) => item(`item${at}`, { author_id: `author${at % 9}` }));
  await group.post(ITEMS, items);
  const ask = async () => {
    const page = await group.post(POPULAR, { user_id: 'viewer', top_k: 3, impression_count: 3 });
    expect(page.status).toBe(200);
    return idsOf(page);
  };
  const shown: string[] = [];
  for (let round = 0; round < 15; round++) {
    for (const ids of await Promise.all([ask(), ask()])) shown.push(...ids);
  }
  expect(shown).toHaveLength(90);
  expect(new Set(shown).size).toBe(90);
});

test('every line of the log names its process, and the supervisor lists those that it started', async () => {
  await using group = await Group.start(2);
  await group.logged('"process":"2"');
  expect(new Set(group.lines.map(({ process }) => process))).toEqual(new Set(['supervisor', '1', '2']));
  expect([group.pidsOf(1), group.pidsOf(2)]).toEqual([[expect.any(Number)], [expect.any(Number)]]);
});

test('the metrics of any process contain those of all, each with the number of its process', async () => {
  await using group = await Group.start(2);
  for (const { body } of await group.fromAll(() => group.call('GET', '/metrics'))) {
    for (const process of [1, 2]) {
      expect(body).toContain(`feedloom_process_up{process="${process}"} 1\n`);
      expect(body).toContain(`feedloom_process_starts_total{process="${process}"} 1\n`);
      expect(body).toContain(`feedloom_node_leader{process="${process}"} ${process === 1 ? 1 : 0}\n`);
      expect(body).toContain(`feedloom_http_problems_total{process="${process}",code="not_found"}`);
    }
    const described = body.split('\n').filter((line: string) => line.startsWith('# TYPE'));
    expect(new Set(described).size).toBe(described.length);
  }
});

test('the other processes are not called by anyone else, and their secret is in no command line', async () => {
  await using group = await Group.start(2);
  const calls: [string, string][] = [
    ['GET', '/internal/metrics'],
    ['GET', '/internal/checkpoint?name=x'],
    ['POST', '/internal/impressions'],
  ];
  for (const [method, path] of calls) {
    for (const secret of ['', 'guess']) {
      const answer = await fetch(group.address + path, {
        method,
        headers: { 'x-feedloom-cluster': secret, 'content-type': 'application/json' },
        body:
          method === 'POST' ? '{"user_id":"u","user":0,"erasures":0,"items":[],"built_seq":0}' : undefined,
      });
      expect([path, answer.status]).toEqual([path, 401]);
    }
  }
  const pid = group.pidsOf(2)[0];
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
  const secret = /"secret":"([^"]+)"/.exec(environment)?.[1] ?? '';
  expect(secret.length).toBeGreaterThan(32);
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(secret);
  expect(group.lines.map((line) => JSON.stringify(line)).join('\n')).not.toContain(secret);
});

test('a stop ends all processes cleanly, and a single process serves the data afterwards', async () => {
  await using group = await Group.start(2);
  await group.post(ITEMS, [item('a'), item('b')]);
  const pids = [...group.pidsOf(1), ...group.pidsOf(2)];
  const sockets =
    readFileSync(`/proc/${pids[1]}/environ`, 'utf8').match(/"socket":"([^"]+)\/2-1"/)?.[1] ?? '';
  expect(existsSync(sockets)).toBe(true);
  expect(await group.stop()).toBe(0);
  expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  expect(existsSync(sockets)).toBe(false);
  const alone = await startService(join(group.folder, 'data'));
  expect((await pageOf(alone)).toSorted()).toEqual(['a', 'b']);
  expect(alone.log.join('\n')).not.toContain('"process"');
  await alone.stop();
});

test('a process that is killed is started again, after a pause that doubles, while the others serve', async () => {
  await using group = await Group.start(2);
  await group.post(ITEMS, [item('a')]);
  for (const starts of [2, 3]) {
    group.kill(2);
    await until(
      async () => {
        // Connections that the killed process had accepted are cut.
        const page = await group.tried(POPULAR, { top_k: 1 });
        if (page !== undefined) expect(page.status).toBe(200);
        return group.pidsOf(2).length;
      },
      (count) => count === starts,
    );
    expect(await group.settled(2)).toBe(1);
  }
  const ended = group.lines.filter(({ msg }) => msg === 'a process has ended and is started again');
  expect(ended).toMatchObject([
    { of: 2, seconds: 1, outcome: 'SIGKILL' },
    { of: 2, seconds: 2, outcome: 'SIGKILL' },
  ]);
  const { body } = await group.call('GET', '/metrics');
  expect(body).toContain('feedloom_process_starts_total{process="2"} 3\n');
});

test('processes whose supervisor is killed stop, and the data can be served again', async () => {
  await using group = await Group.start(2);
  await group.post(ITEMS, [item('a')]);
  const pids = [...group.pidsOf(1), ...group.pidsOf(2)];
  process.kill(group.supervisor_pid, 'SIGKILL');
  await until(
    async () => pids.filter((pid) => existsSync(`/proc/${pid}`)),
    (left) => left.length === 0,
  );
  const alone = await startService(join(group.folder, 'data'));
  expect(await pageOf(alone)).toEqual(['a']);
  await alone.stop();
});

describe('a start of several processes is refused', () => {
  /** The message of a start that fails. */
  const refusal = async (env: Record<string, string>, processes = 2) =>
    Group.start(processes, env).then(
      async (group) => {
        await group.stop();
        return 'it started';
      },
      (error: Error) => error.message,
    );

  test('on a port that other processes share, or that one has alone', async () => {
    await using group = await Group.start(2);
    const port = new URL(group.address).port;
    expect(await refusal({ FEEDLOOM_PORT: port })).toContain('ended with 2: feedloom: cannot listen on');
    const alone = await startService(join(group.folder, 'alone'));
    expect(await refusal({ FEEDLOOM_PORT: new URL(alone.address).port })).toContain('[cannot_listen]');
    await alone.stop();
  });

  test('on data that another service has', async () => {
    await using group = await Group.start(2);
    const message = await refusal({ FEEDLOOM_DATA: join(group.folder, 'data') });
    expect(message).toContain('ended with 2');
    expect(message).toContain('[data_in_use]');
  });

  test('without a folder for the sockets by which the processes call each other', async () => {
    expect(await refusal({ TMPDIR: '/proc' })).toContain('[no_sockets]');
    const long = mkdtempSync(join(tmpdir(), 'x'.repeat(90)));
    expect(await refusal({ TMPDIR: long })).toContain('[no_sockets]');
    expect(readdirSync(long)).toEqual([]);
    rmdirSync(long);
  });

  test('with a number that is none, or is too large', async () => {
    expect(await refusal({ FEEDLOOM_PROCESSES: '0' })).toContain('FEEDLOOM_PROCESSES');
    expect(await refusal({ FEEDLOOM_PROCESSES: '1000' })).toContain('FEEDLOOM_PROCESSES');
  });
});
