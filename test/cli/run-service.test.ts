import { describe, expect, spyOn, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { WALLET_RANKINGS } from '../../src/alpha/wallet-feeds.ts';
import { type Running, runService } from '../../src/cli/run-service.ts';
import { DEFAULT_RANKINGS } from '../../src/feeds/compile-feed.ts';
import { EngineUpkeep } from '../../src/serve/engine-upkeep.ts';
import { readSettings } from '../../src/settings.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runWith, start, startWith } from './run.ts';

const folder = temporaryFolder('run');

async function run(
  name: string,
  port: number,
  host = '127.0.0.1',
  metrics_port?: number,
): Promise<Running & AsyncDisposable> {
  const settings = {
    ...readSettings({}),
    data: join(folder, name),
    host,
    port,
    metrics_port,
    api_key: 'key',
  };
  const running = await runService(settings, 'test', pino({ enabled: false }));
  return Object.assign(running, { [Symbol.asyncDispose]: () => running.stop() });
}

test('a port that another service uses is refused, whatever its data', async () => {
  await using running = await run('one', 0);
  const port = Number(new URL(running.address).port);
  for (const name of ['one', 'two']) {
    const [{ reason }] = (await Promise.allSettled([run(name, port)])) as [PromiseRejectedResult];
    expect([reason.code, reason.message]).toEqual(['cannot_listen', expect.stringContaining(`:${port}`)]);
    expect(reason.remedy).toBe('Choose another --port.');
  }
  expect((await fetch(`${running.address}/readyz`)).status).toBe(200);
});

test('metrics with a separate port are served only there, and nothing else is served there', async () => {
  let closed = '';
  {
    await using running = await run('metrics', 0, '127.0.0.1', 0);
    const { address, metrics_address } = running;
    closed = `${metrics_address}/metrics`;
    const told = await fetch(`${metrics_address}/metrics`);
    expect(told.headers.get('content-type')).toStartWith('text/plain');
    expect(told.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await told.text()).toContain('\nfeedloom_ready 1\n');
    expect((await fetch(`${address}/metrics`)).status).toBe(404);
    for (const path of ['/', '/healthz', '/swagger', '/base/feed/popular'])
      expect((await fetch(`${metrics_address}${path}`)).status).toBe(404);
    const described = await (await fetch(`${address}/swagger/json`)).json();
    expect(described).not.toHaveProperty(['paths', '/metrics']);
  }
  await expect(fetch(closed)).rejects.toThrow();
});

test('a metrics port in use is refused by its name, and the other port is released', async () => {
  await using running = await run('taken', 0);
  const taken = Number(new URL(running.address).port);
  const [{ reason }] = (await Promise.allSettled([run('other', 0, '127.0.0.1', taken)])) as [
    PromiseRejectedResult,
  ];
  expect([reason.code, reason.remedy]).toEqual(['cannot_listen', 'Choose another --metrics-port.']);
});

test.each(['192.0.2.1', '2001:db8::1'])(
  'the host %s, which this machine does not have, is refused with the advice to choose another',
  async (host) => {
    const [{ reason }] = (await Promise.allSettled([run('elsewhere', 0, host)])) as [PromiseRejectedResult];
    expect([reason.code, reason.remedy]).toEqual(['cannot_listen', 'Choose another --host.']);
    expect(reason.message).toContain(`cannot listen on ${host.includes(':') ? `[${host}]` : host}:0: `);
  },
);

/** Whether this machine has an IPv6 address. */
const HAS_IPV6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ family }) => family === 'IPv6'),
);

describe.skipIf(!HAS_IPV6)(`on an IPv6 address${HAS_IPV6 ? '' : ' (skipped: this machine has none)'}`, () => {
  test.each(['::1', '::', '[::1]'])('the printed address of %s can be requested', async (host) => {
    await using running = await run('six', 0, host);
    expect(running.address).toMatch(/^http:\/\/\[::1?\]:\d+$/);
    expect((await fetch(`${running.address}/readyz`)).status).toBe(200);
  });
});

test('background work for wallets starts with the first event and after the next start', async () => {
  const warmUp = spyOn(EngineUpkeep.prototype, 'warmUp');
  const event = {
    wallet_address: `0x${'1'.repeat(40)}`,
    item_id: `base.0x${'2'.repeat(40)}`,
    event_type: 'mint',
  };
  let running = await run('three', 0);
  try {
    expect(warmUp.mock.calls).toEqual([[DEFAULT_RANKINGS]]);
    for (let times = 0; times < 2; times++) {
      const sent = {
        method: 'POST',
        body: JSON.stringify(event),
        headers: { 'content-type': 'application/json' },
      };
      expect((await fetch(`${running.address}/base/events`, sent)).status).toBe(200);
    }
    expect(warmUp.mock.calls).toEqual([[DEFAULT_RANKINGS], [WALLET_RANKINGS]]);
    await running.stop();
    running = await run('three', 0);
    expect(warmUp.mock.calls.slice(2)).toEqual([[DEFAULT_RANKINGS], [WALLET_RANKINGS]]);
  } finally {
    warmUp.mockRestore();
    await running.stop();
  }
});

/** A plugin that logs that it has reached a point, and never continues. */
const stuckPlugin = (in_setup: string, at_load = '') => `
  import { Type } from 'feedloom/plugin';
  const stuck = () => { console.log('stuck'); return new Promise(() => {}); };
  ${at_load}
  const filter = { summary: 'For tests.', kind: 'inclusion', options: Type.Object({}), compile: () => () => () => true };
  export default {
    meta: { name: 'stuck', version: '1.0.0', api: 2 },
    filters: { 'stuck/f': filter },
    setup(host) { ${in_setup} },
  };
`;

test.each([
  ['its setup', stuckPlugin('return stuck();')],
  ['its first refresh', stuckPlugin("host.refresh('list', 5, stuck);")],
  ['being loaded', stuckPlugin('', 'await stuck();')],
])('the first signal ends a start that waits for a plugin to end %s', async (waits_for, text) => {
  const file = join(folder, `${waits_for.replaceAll(' ', '-')}.ts`);
  writeFileSync(file, text);
  const data = join(folder, 'stuck');
  const child = start('serve', '--port', '0', '--data', data, '--plugins', file);
  let printed = '';
  for await (const chunk of child.stdout) {
    const is_first = !printed.includes('stuck');
    printed += Buffer.from(chunk).toString();
    if (is_first && printed.includes('stuck')) child.kill('SIGTERM');
  }
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, '']);
  expect(printed).toContain('stopped before the state was loaded');
});

test('a failure that a plugin does not await is logged, and the service keeps running', async () => {
  const file = join(folder, 'loose.ts');
  const options = 'options: Type.Object({})';
  const kept = `(failing) => ({ summary: 'Loose.', kind: 'inclusion', ${options}, compile: () => () => { failing(); return () => true; } })`;
  writeFileSync(
    file,
    `import { Type } from 'feedloom/plugin';
    const loose = ${kept};
    export default {
      meta: { name: 'loose', version: '1.0.0', api: 2 },
      setup() { Promise.reject(new Error('setup not awaited')); },
      filters: {
        'loose/promise': loose(async () => { throw new Error('not awaited', { cause: new Error('for this') }); }),
        'loose/timer': loose(() => setTimeout(() => { throw new Error('too late'); })),
        'loose/text': loose(() => Promise.reject('a text')),
      },
    };`,
  );
  const data = join(folder, 'loose');
  const settings = { FEEDLOOM_API_KEY: 'key-of-the-tests', FEEDLOOM_PLUGINS: file };
  const child = startWith(settings, 'serve', '--port', '0', '--data', data);
  const lines: Record<string, unknown>[] = [];
  let printed = '';
  const failures = () => lines.filter(({ level }) => level === 50);
  const reading = (async () => {
    for await (const chunk of child.stdout) {
      printed += Buffer.from(chunk).toString();
      const whole = printed.split('\n');
      printed = whole.pop() ?? '';
      for (const line of whole) lines.push(JSON.parse(line));
    }
  })();
  const said = async (count: number) => {
    while (failures().length < count) await Bun.sleep(5);
  };
  while (!lines.some(({ address }) => address !== undefined)) await Bun.sleep(5);
  const { address } = lines.find((line) => line.address !== undefined) ?? {};
  const headers = { 'x-api-key': 'key-of-the-tests', 'content-type': 'application/json' };
  await said(1);
  for (const [at, name] of ['promise', 'timer', 'text'].entries()) {
    const body = JSON.stringify({ filters: { [`loose/${name}`]: {} } });
    const asked = await fetch(`${address}/v2/farcaster/casts/feed/popular`, {
      method: 'POST',
      headers,
      body,
    });
    expect(asked.status).toBe(200);
    await said(at + 2);
  }
  child.kill('SIGTERM');
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, '']);
  await reading;
  expect(failures().map(({ cause }) => cause)).toEqual([
    ['setup not awaited'],
    ['not awaited', 'for this'],
    ['too late'],
    ['a text'],
  ]);
  expect(failures()[1].stack).toContain('loose.ts');
});

test('console output of a plugin is logged', async () => {
  const file = join(folder, 'talking.ts');
  writeFileSync(
    file,
    `import { Type } from 'feedloom/plugin';
    const filter = { summary: 'All.', kind: 'inclusion', options: Type.Object({}), compile: () => () => () => true };
    export default {
      meta: { name: 'talking', version: '1.0.0', api: 2 },
      filters: { 'talking/f': filter },
      setup() {
        console.log('%d of %s', 2, 'three', { a: 1 });
        console.warn(new Error('two\\nlines').message);
        console.error('100%');
        console.debug('a debug line');
        console.table([{ a: 1 }]);
        console.group('within');
        console.dir({ b: 2 });
        console.assert(false, 'not so');
        console.trace('%s comes', 'who');
        console.write('half', new Uint8Array([10]));
        process.kill(process.pid, 'SIGTERM');
        return new Promise(() => {});
      },
    };`,
  );
  const serve = ['serve', '--port', '0', '--data', join(folder, 'talking')];
  const { code, stdout, stderr } = await runWith({ FEEDLOOM_PLUGINS: file }, ...serve);
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ source }) => source === 'console')).toMatchObject([
    { level: 30, msg: '2 of three { a: 1 }' },
    { level: 40, msg: 'two\nlines' },
    { level: 50, msg: '100%' },
    { level: 30, msg: expect.stringContaining('(index)') },
    { level: 30, msg: 'within' },
    { level: 30, msg: '  { b: 2 }' },
    { level: 40, msg: expect.stringContaining('not so') },
    { level: 40, msg: expect.stringMatching(/^who comes\n.*talking\.ts/) },
    { level: 30, msg: 'half' },
  ]);
});

test('a plugin that is left out is reported before the start fails because of it', async () => {
  const plugin = join(folder, 'names.ts');
  const options = 'options: Type.Object({})';
  const provider = `{ summary: 'Names.', ${options}, describe: () => async (ids) => ids.map(() => ({})) }`;
  writeFileSync(
    plugin,
    `import { Type } from 'feedloom/plugin';
    export default {
      meta: { name: 'names', version: '1.0.0', api: 2 },
      setup() { throw new Error('no key for the list'); },
      integrations: { 'names/list_v1.0.0': ${provider} },
    };`,
  );
  const { code, stdout, stderr } = await runWith(
    { FEEDLOOM_PLUGINS: plugin, FEEDLOOM_PLUGINS_STRICT: 'false' },
    ...['serve', '--port', '0', '--data', join(folder, 'names'), '--metadata-provider', 'names/list_v1.0.0'],
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining("no metadata provider 'names/list_v1.0.0'")]);
  const told = stdout.split('\n').find((line) => line.includes('plugin_threw_on_load')) ?? '{}';
  expect(JSON.parse(told).msg).toContain('names.ts: setup: no key for the list');
});
