import { afterAll, expect, test } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { killAll } from '../simulation/support/service-process.ts';
import { Connections } from './support/connections.ts';
import { ATTACKER, Stage } from './support/stage.ts';

/** Exports of persons that one account requests and never reads. */

afterAll(killAll);

const ROUTE = '/v2/community/users/:id/export';
const TRIED = 2 * LIMITS.streams_max;

test('one account that reads no exports holds half of the streams, and another account gets its own', async () => {
  await using stage = await Stage.open();
  await addPerson(stage);
  using connections = new Connections(stage.port, false);
  const request = `GET ${ROUTE.replace(':id', 'person')} HTTP/1.1\r\nhost: x\r\nauthorization: ${ATTACKER.authorization}\r\n\r\n`;
  await connections.add(TRIED, request);
  await connections.answered(TRIED);
  const counted = (status: number) =>
    stage.metric(
      `feedloom_http_request_duration_seconds_count{method="GET",route="${ROUTE}",status="${status}"}`,
    );
  const held = LIMITS.streams_max * LIMITS.account_share;
  expect([await counted(200), await counted(503)]).toEqual([held, TRIED - held]);
  const exported = await stage.exported('person');
  expect(exported).toEndWith(`{"kind":"end","lines":${exported.trimEnd().split('\n').length}}\n`);
});

/** A person whose export does not fit into the buffers of a connection. */
async function addPerson(stage: Stage): Promise<void> {
  const items = Array.from({ length: 170 }, (_, at) => ({
    item_id: `large-${at}`,
    author_id: 'person',
    created_at: 1_700_000_000 + at,
    metadata: { note: 'x'.repeat(57_000) },
  }));
  expect((await stage.post('/v2/farcaster/items', items)).status).toBe(200);
}
