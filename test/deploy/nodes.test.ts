import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instructionsOf } from '../../.ci/containerfile.ts';
import { readSettings } from '../../src/settings.ts';
import { item, openCluster, SECRET, until } from '../cluster/support.ts';
import { withFolder } from '../interchange/support.ts';
import { killAll, type ServiceProcess, startService } from '../simulation/support/service-process.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { freePort } from '../support/free-port.ts';
import { longTest } from '../support/long.ts';
import { emptyDatabase } from '../support/prepared-data.ts';
import { COMPOSE_NODES, fitting } from './container-schemas.ts';
import { endProxies, replaced, startProxy } from './proxy.ts';
import { deployText, deployYaml, isInstalled } from './support.ts';

/** The files of `deploy/` for nodes: the Compose file, and the balancer in front of real nodes. */

const FILE = 'compose-nodes.yaml';
const BALANCER = 'caddy/nodes.Caddyfile';
const V2 = '/v2/farcaster';
/** Requests to see how they are spread. Several for each node. */
const ROUND = 12;

afterAll(async () => {
  await endProxies();
  await killAll();
});

describe('the Compose file of nodes', () => {
  const { services, volumes } = fitting(COMPOSE_NODES, deployYaml(FILE)[0]);
  const { node1, node2, node3, balancer, primary, standby } = services;
  const nodes = { node1, node2, node3 };
  const [container_port] = instructionsOf(deployText('Containerfile')).ports;
  /** The upstreams of the balancer. */
  const [, upstreams] = /reverse_proxy ([^{]+) \{/.exec(deployText(BALANCER)) ?? [];

  test('gives the nodes the same settings, but for their address', () => {
    const shared = Object.values(nodes).map(({ environment }) => ({
      ...environment,
      FEEDLOOM_ADVERTISE_URL: '',
    }));
    expect(shared[1]).toEqual(shared[0]);
    expect(shared[2]).toEqual(shared[0]);
  });

  test('gives the nodes settings that are allowed, and the address under which the others reach them', () => {
    for (const [name, { environment }] of Object.entries(nodes)) {
      const given = Object.entries(environment as Record<string, string>).map(([key, value]) => [
        key,
        value.replace(/\$\{\w+(?::-(\w+))?[^}]*\}/g, (_, fallback) => fallback ?? SECRET),
      ]);
      const settings = readSettings(Object.fromEntries(given));
      expect(settings.database_url).toBe(`postgres://feedloom:${SECRET}@primary/feedloom`);
      expect(settings.cluster_secret).toBe(SECRET);
      expect(settings.advertise_url).toBe(`http://${name}:${container_port}`);
    }
  });

  test('lets nodes serve until the balancer has noticed that they stop, and then stop cleanly', () => {
    const seconds = (text: string) => Number(/^(\d+)s$/.exec(text)?.[1]);
    const [, interval, timeout] =
      /health_interval (\w+)\s+health_timeout (\w+)/.exec(deployText(BALANCER)) ?? [];
    for (const { environment, stop_grace_period } of Object.values(nodes)) {
      const drain_seconds = Number(environment.FEEDLOOM_DRAIN_SECONDS);
      expect(drain_seconds).toBeGreaterThan(seconds(interval) + seconds(timeout));
      expect(seconds(stop_grace_period)).toBeGreaterThan(2 * drain_seconds);
    }
  });

  test('needs only secrets that its first lines make', () => {
    const text = deployText(FILE);
    const [, made] = /for name in (.+); do/.exec(text) ?? [];
    const required = [...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name);
    expect([...new Set(required)].sort()).toEqual(made.split(' ').sort());
  });

  test('balances over all nodes', () => {
    expect(upstreams.split(' ')).toEqual(Object.keys(nodes).map((name) => `${name}:${container_port}`));
    expect(balancer.depends_on).toEqual(Object.keys(nodes));
    expect(balancer.ports[0].split(':').at(-1)).toBe(/http:\/\/:(\d+)/.exec(deployText(BALANCER))?.[1]);
  });

  test('mounts volumes that it declares and files that exist, each database within its volume', () => {
    const mounts = Object.values(services as Record<string, { volumes: string[] }>).flatMap(
      ({ volumes: mounted }) => mounted.map((text) => text.split(':')[0]),
    );
    const of_files = mounts.filter((source) => source.startsWith('./'));
    expect(mounts.filter((source) => !source.startsWith('./')).sort()).toEqual(Object.keys(volumes).sort());
    expect(of_files.filter((path) => !existsSync(join(REPOSITORY, 'deploy', path)))).toEqual([]);
    for (const { environment, volumes: mounted } of [primary, standby])
      expect(environment.PGDATA).toStartWith(`${mounted[0].split(':')[1]}/`);
  });

  test('starts the standby under the name that the primary waits for', () => {
    const [, name] = /synchronous_standby_names = 'FIRST 1 \((\w+)\)'/.exec(
      deployText('postgres/create-database.sh'),
    ) ?? [''];
    expect(standby.command).toContain(`cluster_name=${name}`);
    expect(standby.environment.PRIMARY_HOST).toBe('primary');
  });
});

/** A server in place of a node. */
function pretendedNode(readyz_status: number) {
  const heads: Headers[] = [];
  const looked = Promise.withResolvers<void>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      if (new URL(request.url).pathname === '/readyz') {
        looked.resolve();
        return new Response('', { status: readyz_status });
      }
      heads.push(request.headers);
      return new Response('', { status: 500 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** The headers of all requests but those to `/readyz`. */
    heads,
    looked: looked.promise,
    [Symbol.dispose]: () => server.stop(true),
  };
}

/** Starts the balancer in front of three nodes. @returns its address */
function balance(folder: string, addresses: readonly string[]): Promise<string> {
  const [one, two, three] = addresses.map((address) => new URL(address).host);
  return startProxy(() => {
    const port = freePort();
    const config = replaced(deployText(BALANCER), [
      ['http://:3000 {', `http://127.0.0.1:${port} {`],
      ['node1:3000', one],
      ['node2:3000', two],
      ['node3:3000', three],
    ]);
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, config);
    return {
      command: ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
      env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      ready: 'serving initial configuration',
      base: `http://127.0.0.1:${port}`,
    };
  });
}

/** The executable refuses the shorter key of other tests. */
const KEY = 'key-of-the-test-balancer';

describe.skipIf(!isInstalled('caddy'))('the balancer of nodes', () => {
  const { node1 } = fitting(COMPOSE_NODES, deployYaml(FILE)[0]).services;
  const drain_seconds: string = node1.environment.FEEDLOOM_DRAIN_SECONDS;
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const pages = async (base: string): Promise<number[]> => {
    const ask = () => fetch(`${base}${V2}/feeds/popular`, { method: 'POST', headers, body: '{}' });
    const answers: number[] = [];
    for (let page = 0; page < ROUND; page++) answers.push((await ask()).status);
    return answers;
  };
  const readiness = async (base: string) =>
    (await (await fetch(`${base}/readyz`)).json()) as { role: string };
  const all_served = Array.from({ length: ROUND }, () => 200);

  test('sends requests to all nodes that are ready, and to no other', () =>
    withFolder({}, async (folder) => {
      await using cluster = await openCluster();
      const leader = await cluster.start({ api_key: KEY });
      const follower = await cluster.start({ api_key: KEY });
      using loading = pretendedNode(503);
      const base = await balance(folder, [leader.address, loading.url, follower.address]);
      await loading.looked;
      await until(
        async () => {
          const before = loading.heads.length;
          await pages(base);
          return loading.heads.length - before;
        },
        (requests) => requests === 0,
      );
      const roles = new Set<string>();
      for (let look = 0; look < ROUND; look++) roles.add((await readiness(base)).role);
      expect([...roles].sort()).toEqual(['follower', 'leader']);
      const write = await fetch(`${base}${V2}/items`, {
        method: 'POST',
        headers,
        body: JSON.stringify([item('a')]),
      });
      expect(write.status).toBe(200);
      expect(await pages(base)).toEqual(all_served);
      expect((await fetch(`${base}/metrics`, { headers })).status).toBe(404);
      expect((await fetch(`${base}/internal/checkpoint`, { headers })).status).toBe(404);
    }));

  longTest(
    'answers every page while the leader stops',
    () =>
      withFolder({}, async (folder) => {
        const env = {
          FEEDLOOM_API_KEY: KEY,
          FEEDLOOM_DATABASE_URL: await emptyDatabase(),
          FEEDLOOM_CLUSTER_SECRET: 'secret-of-the-cluster',
          FEEDLOOM_DRAIN_SECONDS: drain_seconds,
        };
        const nodes: ServiceProcess[] = [];
        for (const name of ['one', 'two', 'three'])
          nodes.push(await startService(join(folder, name), { env }));
        const base = await balance(
          folder,
          nodes.map(({ address }) => address),
        );
        expect(await pages(base)).toEqual(all_served);
        let is_over = false;
        const stopped = nodes[0].stop().finally(() => {
          is_over = true;
        });
        while (!is_over) expect(await pages(base)).toEqual(all_served);
        expect(await stopped).toBe(0);
        const write = (name: string) =>
          fetch(`${base}${V2}/items`, { method: 'POST', headers, body: JSON.stringify([item(name)]) });
        // Until the other nodes know the new leader, they refuse writes.
        await until(
          () => Promise.all(['a', 'b', 'c'].map(async (name) => (await write(name)).status)),
          (statuses) => statuses.every((status) => status === 200),
        );
        expect(await pages(base)).toEqual(all_served);
      }),
    60_000,
  );

  test("removes the header by which nodes know each other from clients' requests", () =>
    withFolder({}, async (folder) => {
      using node = pretendedNode(200);
      const base = await balance(folder, [node.url, node.url, node.url]);
      await fetch(`${base}${V2}/items`, {
        headers: { 'x-feedloom-cluster': 'guessed', 'x-other': 'kept' },
      });
      expect(node.heads.map((head) => [head.get('x-feedloom-cluster'), head.get('x-other')])).toEqual([
        [null, 'kept'],
      ]);
    }));
});
