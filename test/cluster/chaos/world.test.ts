import { afterEach, expect, test } from 'bun:test';
import { compareNodes, type Reachable, Viewer, World, Writer } from './world.ts';

/** The checks of the chaos test, with nodes that break the rules. */

const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

/** A node that answers every page with these items, has these items stored, and acknowledges every write. */
function fakeNode(page: readonly string[], stored: readonly string[] = page): Reachable {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/v2/farcaster/feeds/:feed': () => Response.json({ body: page.map((item_id) => ({ item_id })) }),
      '/v2/farcaster/records/read': async (request) => {
        const { items } = (await request.json()) as { items: string[] };
        const found = items.filter((item_id) => stored.includes(item_id));
        return Response.json({ items: found.map((item_id) => ({ item_id, item: {} })) });
      },
      '/readyz': Response.json({ applied_seq: 1 }),
    },
    fetch: () => Response.json({ rejected_count: 0 }),
  });
  servers.push(server);
  return { address: `http://127.0.0.1:${server.port}` };
}

function openWorld(...nodes: Reachable[]): World {
  return new World(
    1,
    () => nodes,
    () => 0,
  );
}

test('an item that a viewer is shown a second time is a violation', async () => {
  const world = openWorld(fakeNode(['a']));
  const viewer = new Viewer(world, 0);
  await viewer.step();
  await viewer.step();
  expect(world.violations[0]).toBe('viewer0 was shown a a second time');
});

test('an item on a page that was asked for after its deletion was acknowledged is a violation', async () => {
  const world = openWorld(fakeNode(['a']));
  world.deleted.set('a', world.tick());
  await new Viewer(world, 0).step();
  expect(world.violations).toContain('viewer0 was shown a after its deletion');
});

test('an acknowledged item that a later read lacks is a violation', async () => {
  const world = openWorld(fakeNode([], []));
  // The first step of a writer stores items.
  await new Writer(world, 0).step();
  expect(world.counts.writes_acknowledged).toBe(1);
  expect(world.violations).toEqual([expect.stringContaining('but a later read lacked it')]);
});

test('nodes at rest that lack an item, have a deleted one, or show other pages are violations', async () => {
  const world = openWorld(fakeNode(['a', 'b'], ['a', 'b']), fakeNode(['b', 'a'], ['b']));
  world.stored.push('a', 'b');
  world.deleted.set('b', world.tick());
  await compareNodes(world, ['viewer']);
  const found = world.violations.join('\n');
  expect(found).toContain('a was acknowledged, but');
  expect(found).toContain('the deletion of b was acknowledged, but');
  expect(found).toContain('nodes differ on a popular page of viewer:\nat 1: a b\nat 1: b a');
});

test('nodes that agree with what was acknowledged violate nothing', async () => {
  const world = openWorld(fakeNode(['a']), fakeNode(['a']));
  world.stored.push('a');
  await compareNodes(world, ['viewer']);
  expect(world.violations).toEqual([]);
});
