import { expect, test } from 'bun:test';
import { item, openCluster } from './support.ts';

const V2 = '/v2/farcaster';

test('an event without a key that is larger than 64 KiB is refused by the follower itself', async () => {
  await using cluster = await openCluster();
  const leader = await cluster.start();
  const follower = await cluster.start();
  await cluster.cutOff(leader);
  const large = { wallet_address: 'x'.repeat(70_000) };
  const { status, body } = await follower.call('POST', '/base/events', large, { authorization: '' });
  expect([status, body.code]).toEqual([413, 'body_too_large']);
});

test('a write whose answer the leader cuts off is a 503 with Retry-After', async () => {
  await using cluster = await openCluster();
  const leader = await cluster.start();
  const follower = await cluster.start();
  const half = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{';
  using dying = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data: (socket) => {
        socket.write(half);
        socket.end();
      },
    },
  });
  await cluster.cutOff(leader, `http://127.0.0.1:${dying.port}`);
  const { status, headers, body } = await follower.post(`${V2}/items`, [item('a')]);
  expect([status, body.code]).toEqual([503, 'store_unavailable']);
  expect(headers.get('retry-after')).toBe('2');
});
