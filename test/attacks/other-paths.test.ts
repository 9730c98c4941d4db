import { expect, test } from 'bun:test';
import { openCluster } from '../cluster/support.ts';
import { sendAsIs } from '../support/send-as-is.ts';

/** Somebody without a key sends paths and hosts that a guard could read differently from the router. */

const EVENT = {
  wallet_address: `0x${'1'.repeat(40)}`,
  item_id: `base.0x${'c'.repeat(40)}`,
  event_type: 'mint',
};

test('no path and no host leads a write past the guards of a node that follows', async () => {
  await using cluster = await openCluster();
  const leader = await cluster.start();
  const follower = await cluster.start();
  const post = async (path: string, host: string) => {
    const { status } = await sendAsIs(follower.address, path, {
      method: 'POST',
      headers: { host },
      body: EVENT,
    });
    return [path, host, status];
  };
  for (const path of [
    '/internal/base/events',
    '/api/feed/preview/../../../base/events',
    '/internal\\..\\base\\events',
  ])
    for (const host of ['a', 'abc', 'feeds.example.com'])
      expect(await post(path, host)).toEqual([path, host, 404]);
  expect(leader.running.service.alpha.community).toBeUndefined();
  for (const host of ['a', 'abc', 'feeds.example.com'])
    expect(await post('/base/events', host)).toEqual(['/base/events', host, 200]);
});
