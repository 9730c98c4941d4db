import { afterAll, expect, test } from 'bun:test';
import { killAll } from '../simulation/support/service-process.ts';
import { aborted, compare, RATIO_MAX } from './support/compare.ts';
import { Connections } from './support/connections.ts';
import { ATTACKER, Stage } from './support/stage.ts';

/** One account sends requests and withholds their bodies. */

afterAll(killAll);

const REQUESTS_MAX = 200;
const CONNECTIONS = 300;
const AT_ONCE = 20;

/** A request of the attacker's account with a declared body, of which only the beginning is sent. */
function request(path: string, declared_bytes: number, body: string): string {
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: x',
    `authorization: ${ATTACKER.authorization}`,
    'content-type: application/json',
    `content-length: ${declared_bytes}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

test('an account that withholds bodies does not slow down other accounts', async () => {
  await using stage = await Stage.open({ env: { FEEDLOOM_REQUESTS_MAX: String(REQUESTS_MAX) } });
  const path = '/v2/farcaster/casts/feed/popular';
  const sendAll = (text: string, keep: boolean) => async (_: Stage, going: AbortSignal) => {
    using connections = new Connections(stage.port);
    for (let count = 0; count < CONNECTIONS && !going.aborted; count += AT_ONCE) {
      await connections.add(AT_ONCE, text);
      if (!keep) await connections.answered(count + AT_ONCE);
    }
    if (keep) await aborted(going);
  };
  const harmless = request(path, 11, '{"top_k":1}');
  const { ratio } = await compare(stage, sendAll(request(path, 100, '{'), true), sendAll(harmless, false));
  expect(ratio).toBeLessThanOrEqual(RATIO_MAX);
});

test('declared bodies that never arrive leave the memory for large bodies to others', async () => {
  await using stage = await Stage.open();
  using connections = new Connections(stage.port);
  await connections.add(64, request('/v2/farcaster/users', 16 * 1024 * 1024, '['));
  while ((await stage.metric('feedloom_requests_under_way')) < 64) await Bun.sleep(50);
  const users = Array.from({ length: 5_000 }, (_, at) => ({
    user_id: `other-${at}`,
    username: 'x'.repeat(200),
  }));
  const { status } = await stage.post('/v2/farcaster/users', users);
  expect(status).toBe(200);
});
