import { afterAll, expect, test } from 'bun:test';
import { killAll } from '../simulation/support/service-process.ts';
import { aborted, compare, LONG, RATIO_MAX } from './support/compare.ts';
import { Connections } from './support/connections.ts';
import { Stage } from './support/stage.ts';

/**
 * More connections than the service has descriptors, kept open by clients.
 *
 * Clients send the first bytes of a request, because the kernel does not hand over silent connections.
 */

afterAll(killAll);

const DESCRIPTORS = 300;
const TOO_MANY = 400;
/** Harmless clients connect one after another, this many at once. */
const AT_ONCE = 20;
const WATCHED_MS = LONG ? 10_000 : 1_000;

/** Limits the number of descriptors of the following command. */
const limited = ['sh', '-c', `ulimit -n ${DESCRIPTORS}; exec "$@"`, 'sh'];

const ON_LINUX = process.platform === 'linux';

test.skipIf(!ON_LINUX).each([
  ['half of a head', 'GET /healthz HTTP/1.1\r\nhost: x\r\n'],
  ['a request, and keep the connection', 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'],
])(
  `more clients than descriptors that send %s do not block other clients or use up a core${ON_LINUX ? '' : ' (skipped: not on Linux)'}`,
  async (_, text) => {
    await using stage = await Stage.open({ prefix: limited });
    const hold = async (_: Stage, going: AbortSignal) => {
      using connections = new Connections(stage.port);
      await connections.add(TOO_MANY, text);
      await aborted(going);
    };
    const comeAndGo = async (_: Stage, going: AbortSignal) => {
      for (let count = 0; count < TOO_MANY && !going.aborted; count += AT_ONCE) {
        using connections = new Connections(stage.port);
        await connections.add(AT_ONCE, text);
      }
    };
    const { ratio } = await compare(stage, hold, comeAndGo, { close: true });
    expect(ratio).toBeLessThanOrEqual(RATIO_MAX);

    using connections = new Connections(stage.port);
    await connections.add(TOO_MANY, text);
    while (connections.closed === 0) await Bun.sleep(10);
    const before = stage.cpuSeconds();
    await Bun.sleep(WATCHED_MS);
    expect((stage.cpuSeconds() - before) / (WATCHED_MS / 1000)).toBeLessThan(0.3);
    expect((await stage.page(true)).status).toBe(200);
    expect(await stage.metric('feedloom_idle_connections_closed_total')).toBeGreaterThan(0);
  },
);
