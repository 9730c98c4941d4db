import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { fetchBounded, openSocket } from '../../../src/plugin/index.ts';
import { START } from '../../support/service.ts';
import { item } from '../feeding-plugin.ts';
import { failureOf, ID, Stage, statusOf, untilState } from './connector-stage.ts';

/** A source that answers and accepts connections, but sends nothing. */
let source: Bun.Server<undefined>;
beforeAll(() => {
  source = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response('[]')),
    websocket: { message: () => {} },
  });
});
afterAll(() => source.stop(true));

const answered = () => fetchBounded(source.url, { timeout_ms: 30_000, bytes_max: 100 });
const connected = async () => {
  const socket = openSocket(source.url.href.replace('http', 'ws'));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  socket.terminate();
};

describe('a connector', () => {
  test('is started again when its source is silent, and is quiet then, which does not degrade readiness', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    const host = await stage.nextRun();
    await host.emit([item('a', START)], '1');
    await stage.timers.pass(29);
    await host.emit([], '2');
    await stage.timers.pass(29);
    expect(host.signal.aborted).toBe(false);
    await stage.timers.pass(1);
    expect(host.signal.aborted).toBe(true);
    expect(await untilState(server, 'quiet')).toMatchObject({ last_error: null, restarts_count: 0 });
    expect((await failureOf(host.emit([], '3'))).message).toBe('the source was silent for 30 s');
    const { body } = await server.call('GET', '/readyz');
    expect(body).toMatchObject({ status: 'ready', stalled_connectors: [] });
    const metrics = await server.call('GET', '/metrics');
    expect(metrics.body).toContain(`feedloom_connector_quiet{connector="${ID}"} 1`);
    expect(metrics.body).toContain(`feedloom_connector_stalled{connector="${ID}"} 0`);
    await stage.timers.pass(0.5);
    const again = await stage.nextRun();
    expect(await statusOf(server)).toMatchObject({ state: 'quiet', cursor: '2', restarts_count: 1 });
    await again.emit([item('b', START)], '3');
    expect(await statusOf(server)).toMatchObject({ state: 'running', cursor: '3' });
  });

  test('is quiet after a silence also if it then ends with an error of its own', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    const host = await stage.nextRun();
    host.signal.addEventListener('abort', () => stage.fail(host, 'the operation was aborted'));
    await stage.within(host, answered);
    await stage.timers.pass(30);
    expect(await untilState(server, 'quiet')).toMatchObject({ last_error: null });
  });

  test.each([
    ['had an answer', answered],
    ['was accepted', connected],
  ])('is quiet when its source is silent after it %s', async (_, reach) => {
    const stage = new Stage();
    await using server = await stage.open();
    await stage.within(await stage.nextRun(), reach);
    await stage.timers.pass(30);
    expect(await untilState(server, 'quiet')).toMatchObject({ last_error: null });
  });

  test('is stalled when it only waited for its source', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    await (await stage.nextRun()).emit([item('a', START)], '1');
    await stage.timers.pass(30);
    await untilState(server, 'quiet');
    await stage.timers.pass(0.5);
    await stage.nextRun();
    await stage.timers.pass(30);
    expect((await untilState(server, 'stalled')).last_error).toBe(
      'the source was silent for 30 s, and was not reached',
    );
    const { body } = await server.call('GET', '/readyz');
    expect(body).toMatchObject({ status: 'degraded', stalled_connectors: [ID] });
  });

  test('is stalled after a failure until the source was reached and silent without another one', async () => {
    const stage = new Stage();
    await using server = await stage.open();
    stage.fail(await stage.nextRun(), 'no route to the source');
    await untilState(server, 'stalled');
    await stage.timers.pass(0.5);
    await stage.within(await stage.nextRun(), answered);
    await stage.timers.pass(29);
    expect(await statusOf(server)).toMatchObject({ state: 'stalled' });
    await stage.timers.pass(1);
    expect(await untilState(server, 'quiet')).toMatchObject({ last_error: 'no route to the source' });
    await stage.timers.pass(0.5);
    stage.fail(await stage.nextRun(), 'no route to the source');
    await untilState(server, 'stalled');
    // The pause is the first one again.
    await stage.timers.pass(0.5);
    await stage.nextRun();
  });
});
