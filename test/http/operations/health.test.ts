import { expect, test } from 'bun:test';
import pkg from '../../../package.json' with { type: 'json' };
import { forFile, openTestServer } from '../../support/service.ts';

const server = await forFile(openTestServer());

test('the health check needs no key', async () => {
  expect(await server.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
});

test('the readiness check reports the version, the role, the applied changes and how far they lag', async () => {
  const { status, body } = await server.call('GET', '/readyz');
  expect(status).toBe(200);
  const at_rest = {
    status: 'ready',
    version: pkg.version,
    changes: 0,
    role: 'leader',
    lag_seconds: 0,
    warming: false,
  };
  expect(body).toEqual({
    ...at_rest,
    applied_seq: 0,
    refused_plugins: [],
    stalled_connectors: [],
    fallen_back_feeds: [],
  });
  await server.service.ingest.ingest('users', [{ user_id: 'a' }]);
  expect((await server.call('GET', '/readyz')).body.applied_seq).toBe(server.service.state.seq);
});

test('the readiness check says that lists are being built until all of them are built', async () => {
  const { feeds } = server.service;
  const stop = feeds.upkeep.warmUp([]);
  try {
    for (let warming = true, first = true; warming; first = false) {
      const { status, body } = await server.call('GET', '/readyz');
      expect(status).toBe(200);
      if (first) expect(body.warming).toBe(true);
      ({ warming } = body);
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    stop();
  }
});
