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

test('a page whose impression a proxy before the leader refuses with HTML is a 503 that names the setting', async () => {
  await using cluster = await openCluster();
  const leader = await cluster.start();
  const follower = await cluster.start();
  await follower.post(`${V2}/items`, [item('a')]);
  await using proxy = Bun.serve({
    port: 0,
    fetch: () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
  });
  await cluster.cutOff(leader, `http://127.0.0.1:${proxy.port}`);
  const page = { user_id: 'u', impression_count: 1 };
  for (const request of [page, { ...page, request_id: 'r' }]) {
    const { status, body } = await follower.post(`${V2}/feeds/popular`, request);
    expect([status, body.code]).toEqual([503, 'store_unavailable']);
    expect(body.detail).toContain('FEEDLOOM_ADVERTISE_URL');
  }
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
