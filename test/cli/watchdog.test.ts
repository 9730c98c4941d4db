import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { folderWith } from '../interchange/support.ts';
import {
  API_KEY,
  killAll,
  launch,
  type StartOptions,
  startService,
} from '../simulation/support/service-process.ts';
import { environment, feedloom, REPOSITORY } from '../support/feedloom.ts';
import { NotifySocket } from '../support/notify-socket.ts';
import { ended } from './run.ts';

afterAll(killAll);

/** The exit code that docs/operations.md names. */
const HUNG = 70;
/** Longer than a busy machine takes to load a plugin. */
const LIMIT = { FEEDLOOM_WATCHDOG_SECONDS: '1.2' };

const LOOP = 'for (;;);';

/** A plugin `acme` with these members. */
const plugin = (members: string, before = '') => `
import { definePlugin, Type } from 'feedloom/plugin';
const summary = 'x';
const options = Type.Object({}, { default: {} });
${before}
export default definePlugin({ meta: { name: 'acme', version: '1.0.0', api: 2 }, ${members} });`;

const filters = (compile = '() => () => () => true') =>
  `filters: { 'acme/f': { summary, options, kind: 'inclusion', compile: ${compile} } }`;
const FILTER = filters();
const scoring = (compile: string, rest = '') =>
  plugin(`scoring_functions: { 'acme/s_v1.0.0': { summary, options, compile: ${compile} } }, ${rest}`);

const ITEM = { item_id: 'a', author_id: 'ann', created_at: 1_760_000_000, text: 'a post' };

interface Case {
  file: string;
  /** A feed request in which the plugin hangs; without one it hangs by itself. */
  request?: object;
  env?: Record<string, string>;
  /** What the log names. */
  named: { plugin: string; kind?: string; call: string } | { unended: { plugin: string; call: string }[] };
}

const [OF_FILTER, OF_SCORING] = [
  { plugin: 'acme/f', kind: 'filters', call: 'compile' },
  { plugin: 'acme/s_v1.0.0', kind: 'scoring_functions', call: 'compile()()' },
];

describe('a plugin with an endless loop ends the service, and the log names it: in', () => {
  test.each<[string, Case]>([
    [
      'a score',
      {
        file: scoring(`() => () => () => { ${LOOP} }`),
        request: { scoring: 'acme/s_v1.0.0' },
        named: OF_SCORING,
      },
    ],
    [
      "a filter's compile",
      {
        file: plugin(filters(`() => { ${LOOP} }`)),
        request: { filters: { 'acme/f': {} } },
        named: OF_FILTER,
      },
    ],
    [
      'a signal that another extension requests',
      {
        file: scoring(
          "() => (request) => request.signal('acme/mood')",
          `signals: { 'acme/mood': { summary, options, depends_on: 'item', compile: () => () => () => { ${LOOP} } } }`,
        ),
        request: { scoring: 'acme/s_v1.0.0' },
        named: { plugin: 'acme/mood', kind: 'signals', call: 'compile()()' },
      },
    ],
    ['the code of the file', { file: plugin(FILTER, LOOP), named: { plugin: 'acme.ts', call: 'import' } }],
    [
      'setup, after a wait',
      {
        file: plugin(`setup: async () => { await Bun.sleep(1); ${LOOP} }, ${FILTER}`),
        named: { plugin: 'acme', call: 'setup' },
      },
    ],
    [
      'a later run of a refresh',
      {
        file: plugin(
          `setup: (host) => void host.refresh('list', 0.01, () => { if (runs++ > 1) ${LOOP} }), ${FILTER}`,
          'let runs = 0;',
        ),
        named: { plugin: 'acme', call: "refresh 'list'" },
      },
    ],
    [
      'what a refresh does after a wait',
      {
        file: plugin(
          `setup: (host) => void host.refresh('list', 0.01, async () => { await Bun.sleep(1); if (is_used) ${LOOP} }),
           ${filters('() => { is_used = true; return () => () => true; }')}`,
          'let is_used = false;',
        ),
        request: { filters: { 'acme/f': {} } },
        named: { unended: [{ plugin: 'acme', call: "refresh 'list'" }] },
      },
    ],
    [
      'a connector',
      {
        file: plugin(
          `integrations: { 'acme/c_v1.0.0': { summary, options, connect: () => async () => { ${LOOP} } } }`,
        ),
        env: { FEEDLOOM_CONNECT: 'acme/c_v1.0.0' },
        named: { plugin: 'acme/c_v1.0.0', kind: 'integrations', call: 'connect()' },
      },
    ],
  ])('%s', async (_, { file, request, env, named }) => {
    const folder = folderWith({ 'acme.ts': file });
    const source = join(folder, 'acme.ts');
    const options: StartOptions = { env: { ...LIMIT, ...env, FEEDLOOM_PLUGINS: source } };
    const { lines, exited } = launch(join(folder, 'data'), options);
    if (request !== undefined) {
      const { address } = JSON.parse(
        await Promise.race([lines.holding('"listening on '), exited.then(String)]),
      );
      const send = (path: string, body: object) =>
        fetch(`${address}/v2/community/${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      expect((await send('items', ITEM)).status).toBe(200);
      await send('feeds/popular', request).catch(() => {});
    }
    expect(await exited).toBe(HUNG);
    const { time: _time, seconds, msg, ...line } = JSON.parse(lines.all.at(-1) ?? '');
    const of_source =
      'unended' in named
        ? { unended: named.unended.map((call) => ({ ...call, source })) }
        : { ...named, source };
    expect(line).toEqual({ level: 60, ...of_source });
    expect(seconds).toBeWithin(1, 10);
    expect(msg).toContain('the process ends, so that a supervisor starts it again');
  });
});

describe('an endless loop is a failure that names the call', () => {
  const TEST = `
    import { testScoringFunction } from 'feedloom/plugin/testing';
    import plugin from './acme.ts';
    testScoringFunction(plugin, 'acme/s_v1.0.0');`;
  const looping = scoring(`() => () => () => { ${LOOP} }`);

  test.each<[string, string[], string, string]>([
    [
      'of plugins check in a score',
      ['check', 'acme.ts'],
      looping,
      'compile()() of acme/s_v1.0.0 (scoring_functions)',
    ],
    [
      'of plugins check in setup',
      ['check', 'acme.ts'],
      plugin(`setup() { ${LOOP} }, ${FILTER}`),
      'setup of acme',
    ],
    [
      'of plugins check in the code of the file',
      ['check', 'acme.ts'],
      plugin(FILTER, LOOP),
      'import of acme.ts',
    ],
    ['of plugins test', ['test'], looping, 'compile()() of acme/s_v1.0.0 (scoring_functions)'],
  ])('%s', async (_, args, file, call) => {
    const folder = folderWith({ 'acme.ts': file, 'acme.test.ts': TEST });
    const child = Bun.spawn([feedloom(), 'plugins', ...args], {
      cwd: folder,
      env: environment(LIMIT),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const { code, stdout } = await ended(child);
    expect(code).toBe(2);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^ {4}FAIL {2}it has not ended after \d[.\d]* s: /);
    expect(stdout).toContain(` s: ${call} in `);
  });
});

/** Runs a program that has a watchdog with a limit in seconds. @returns its exit code */
async function codeOf(program: string, seconds: number): Promise<number> {
  const imports = `
    import { Watchdog } from '${REPOSITORY}/src/cli/watchdog.ts';
    import { PLUGIN_CALLS } from '${REPOSITORY}/src/registry/plugin-calls.ts';
    const watchdog = new Watchdog({ seconds: ${seconds}, onFailure: console.error });
    const call = { plugin: 'acme', call: 'setup', source: 'acme.ts' };
    const busy = (ms = 1_000) => { for (const end_ms = performance.now() + ms; performance.now() < end_ms; ); };`;
  const folder = folderWith({ 'program.ts': `${imports}\n${program}\nprocess.exit(0);` });
  return Bun.spawn([process.execPath, join(folder, 'program.ts')], { env: environment() }).exited;
}

test.each<[string, string, number, number?]>([
  ['ends a process that computes for longer than the limit', 'await Bun.sleep(200); busy();', HUNG],
  ['lets a state load for longer', 'await watchdog.whileLoading(async () => busy());', 0],
  [
    'ends a process whose plugin does so while a state loads',
    'await watchdog.whileLoading(() => PLUGIN_CALLS.during(call, async () => busy()));',
    HUNG,
  ],
  ['lets a plugin wait', 'await PLUGIN_CALLS.during(call, () => Bun.sleep(300));', 0],
  [
    'lets two states load for longer, of which one is loaded first',
    `await Promise.all([
      watchdog.whileLoading(() => Bun.sleep(20)),
      watchdog.whileLoading(async () => { await Bun.sleep(200); busy(); }),
    ]);`,
    0,
  ],
  [
    'does not count for a plugin what the service computed before',
    'await Bun.sleep(300); busy(1_000); PLUGIN_CALLS.marked(call, () => busy(150))();',
    0,
    0.5,
  ],
])('the watchdog %s', async (_, program, code, seconds = 0.1) => {
  expect(await codeOf(program, seconds)).toBe(code);
});

test('a service with the limit 0 has no watchdog', async () => {
  const { stderr } = Bun.spawnSync(
    [
      process.execPath,
      '-e',
      `
      import { Watchdog } from '${REPOSITORY}/src/cli/watchdog.ts';
      globalThis.Worker = class { constructor() { throw new Error('a thread'); } };
      new Watchdog({ seconds: 0, onFailure: console.error }).close();`,
    ],
    { env: environment() },
  );
  expect(stderr.toString()).toBe('');
});

test.skipIf(process.platform !== 'linux')(
  'a service manager gets READY, WATCHDOG as long as the main thread comes back, and STOPPING',
  async () => {
    const folder = folderWith({});
    using socket = new NotifySocket(join(folder, 'notify'));
    const env = { NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '200000' };
    const service = await startService(join(folder, 'data'), { env });
    for (const state of ['READY=1', 'WATCHDOG=1'])
      while (!socket.received().includes(state)) await fetch(`${service.address}/healthz`);
    expect(await service.stop()).toBe(0);
    expect(new Set(socket.received())).toEqual(new Set(['WATCHDOG=1', 'READY=1', 'STOPPING=1']));
  },
);
