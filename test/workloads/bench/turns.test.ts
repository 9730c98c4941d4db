import { expect, test } from 'bun:test';
import { connected, inTurns } from '../../../workloads/bench/context.ts';
import { Progress } from '../../../workloads/bench/progress.ts';
import { feedText } from '../../../workloads/bench/requests.ts';

test('inTurns runs every other round backwards', async () => {
  const order: string[] = [];
  const contender = (name: string) => async () => order.push(name);
  const values = await inTurns(new Progress(), 3, {
    a: contender('a'),
    b: contender('b'),
    c: contender('c'),
  });
  expect(order.join('')).toBe('abccbaabc');
  expect(values).toEqual({ a: [1, 6, 7], b: [2, 5, 8], c: [3, 4, 9] });
});

test('a turn of full load lasts until it has sent the minimum number of requests', async () => {
  let requests = 0;
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => {
      requests++;
      return new Response('{}');
    },
  });
  const driver = await connected({ address: `http://127.0.0.1:${server.port}` });
  requests = 0;
  const load = await driver.full(0, () => feedText('popular', {}), 200);
  driver.close();
  expect(load.requests).toBeGreaterThanOrEqual(200);
  expect(load.requests).toBe(requests);
});
