import { expect, test } from 'bun:test';
import { openLab } from '../experiments/support.ts';
import { type Account, newAccount } from '../http/config-support.ts';
import { openTestServer, type TestServer } from '../support/service.ts';

/** One key makes many small changes, to displace what was recorded before or to fill the disk. */

const CHANGES = 150;
const MINUTE = 60;

const auditOf = async (server: TestServer, { headers }: Account) =>
  (await server.call('GET', '/api/audit?limit=1000', undefined, headers)).body.data;

async function revisionsOf(server: TestServer, { headers }: Account, config_id: string): Promise<number[]> {
  const path = `/api/feed/config/revisions?config_id=${config_id}&limit=1000`;
  const { body } = await server.call('GET', path, undefined, headers);
  return body.data.map(({ revision }: { revision: number }) => revision);
}

test('many changes of a feed displace neither earlier entries of the audit log nor earlier revisions', async () => {
  await using server = await openTestServer();
  const acme = await newAccount(server, 'acme');
  const feed = await acme.add({ name: 'Original' });
  // The control: a change in each of three minutes.
  for (let change = 0; change < 3; change++) {
    server.clock.set(server.clock.now() + MINUTE);
    await acme.set(feed, { name: `Name ${change}` });
  }
  const calm = await auditOf(server, acme);
  expect(calm.map(({ action, count }: Record<string, unknown>) => [action, count])).toEqual([
    ...Array.from({ length: 3 }, () => ['feed.change', 1]),
    ['feed.create', 1],
    ['key.create', 1],
  ]);
  server.clock.set(server.clock.now() + MINUTE);
  for (let change = 0; change < CHANGES; change++) await acme.set(feed, { name: `Flood ${change}` });
  const [flood, ...before] = await auditOf(server, acme);
  expect(flood).toMatchObject({
    action: 'feed.change',
    object: feed,
    count: CHANGES,
    revision: CHANGES + 4,
  });
  expect(before).toEqual(calm);
  const kept = await revisionsOf(server, acme, feed);
  expect(kept.length).toBeLessThan(CHANGES);
  expect(kept.slice(-4)).toEqual([4, 3, 2, 1]);
});

test('many changes of an experiment take the room of a few', async () => {
  await using lab = await openLab();
  const { server } = lab;
  const { left, right } = await lab.feeds();
  const id = await lab.start(left, right);
  const stored = async (): Promise<number[]> => {
    const sizes: number[] = [];
    await server.service.store.replay((change) => {
      if (change.kind === 'experiment') sizes.push(JSON.stringify(change.content).length);
    });
    return sizes;
  };
  const move = (percent: number) => lab.change(id, { variants: [{ name: 'other', percent }] });
  const pass = () => server.clock.set(server.clock.now() + MINUTE);
  // The control: a version of each of three minutes is kept, and the content of the last two.
  for (let change = 0; change < 3; change++) {
    pass();
    await move(10 + change);
  }
  const calm = await stored();
  expect(calm).toHaveLength(4);
  pass();
  for (let change = 0; change < CHANGES; change++) await move(20 + (change % 20));
  const flooded = await stored();
  expect(flooded.length).toBeLessThanOrEqual(calm.length + 3);
  const full = Math.max(...flooded);
  expect(flooded.filter((bytes) => bytes > full / 4)).toHaveLength(2);
});
