import { expect, test } from 'bun:test';
import { fillWithDemo } from '../../support/demo.ts';
import { openTestServer } from '../../support/service.ts';
import { feedPath } from '../support.ts';

/** An empty service. */
const open = () => openTestServer({ hosting: { fillDemo: fillWithDemo } });

test('an empty service loads the demo community once, and then serves its feeds', async () => {
  await using server = await open();
  const answers = await Promise.all([server.post('/api/demo'), server.post('/api/demo')]);
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [200, undefined],
    [409, 'not_empty'],
  ]);
  const { users, items } = server.service.state;
  expect(answers[0].body).toEqual({ status: 'success', users: users.size, items: items.size });
  expect((await server.post(feedPath('popular'))).body.body.length).toBe(25);
  const { status, body } = await server.post('/api/demo');
  expect([status, body.code]).toEqual([409, 'not_empty']);
});

test('a service with any record does not load the demo community', async () => {
  await using server = await open();
  await server.service.ingest.ingest('users', [{ user_id: 'ann' }]);
  const { status, body } = await server.post('/api/demo');
  expect([status, body.code]).toEqual([409, 'not_empty']);
  expect(server.service.state.items.size).toBe(0);
});

test('a failed load of the demo community can be repeated', async () => {
  let calls = 0;
  const fillDemo: typeof fillWithDemo = async (service) => {
    if (calls++ === 0) throw new Error('the disk is full');
    await fillWithDemo(service);
  };
  await using server = await openTestServer({ hosting: { fillDemo } });
  expect((await server.post('/api/demo')).body.code).toBe('internal');
  expect((await server.post('/api/demo')).status).toBe(200);
});
