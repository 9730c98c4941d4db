import { expect, test } from 'bun:test';
import pino from 'pino';
import { Metrics } from '../../src/http/metrics/metrics.ts';
import { LIMITS } from '../../src/limits.ts';
import { feedPath, ingestPath, KEY } from '../http/support.ts';
import { withFolder } from '../interchange/support.ts';
import { openTestServer, START, type TestServer } from '../support/service.ts';

const LEFT = 4;

function itemsCalled(ids: readonly string[]) {
  return ids.map((item_id) => ({ item_id, author_id: 'author', created_at: START - 60 }));
}

/** Posts one body per item, as a client does. */
async function post(server: TestServer, ids: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const item of itemsCalled(ids)) statuses.push((await server.post(ingestPath('items'), item)).status);
  return statuses;
}

async function known(server: TestServer, ids: readonly string[]): Promise<string[]> {
  const there: string[] = [];
  for (const id of ids) {
    const { status } = await server.call('GET', `${ingestPath('items')}/${id}`, undefined, KEY);
    if (status === 200) there.push(id);
  }
  return there;
}

test('records are refused when no key is left, and acknowledged records survive a restart', () =>
  withFolder({}, async (data) => {
    const first = await openTestServer({ data });
    // As after years of new items that were retired.
    first.service.state.items.names.skipTo(LIMITS.keys_max - LEFT);
    const ids = Array.from({ length: LEFT + 3 }, (_, n) => `item-${n}`);
    const together = await first.post(ingestPath('items'), itemsCalled(ids));
    expect(together).toMatchObject({ status: 507, body: { code: 'state_full' } });
    expect(together.body.detail).toContain('items that were ever named (limit 2,147,483,648)');
    expect(together.body.detail).toContain(
      `3 of the records were not stored because there was no room, the first is record ${LEFT}`,
    );
    expect(await post(first, ids)).toEqual(ids.map((_, n) => (n < LEFT ? 200 : 507)));
    const seen = { user_id: 'viewer', impression_count: LEFT };
    expect((await first.post(feedPath('popular'), seen)).status).toBe(200);
    expect(await new Metrics(() => first.service).text()).toContain(
      `feedloom_keys_given{community="content",space="item"} ${LIMITS.keys_max}`,
    );
    await first.close();

    const log: string[] = [];
    const opening = { log: pino({ level: 'warn' }, { write: (line: string) => log.push(line) }) };
    const second = await openTestServer({ data, opening });
    expect(log).toEqual([expect.stringContaining('"shares":{"item_keys":1}')]);
    expect(await known(second, ids)).toEqual(ids.slice(0, LEFT));
    const again = await second.post(feedPath('popular'), { user_id: 'viewer' });
    expect(again.body.body).toEqual([]);
    expect(await post(second, ['another'])).toEqual([507]);
    await second.close();
  }));

test('a page for a new viewer is recorded when no key is left, because viewers need none', () =>
  withFolder({}, async (data) => {
    const server = await openTestServer({ data });
    await post(server, ['item']);
    server.service.state.users.names.skipTo(LIMITS.keys_max);
    const page = { user_id: 'new', top_k: 1, impression_count: 1 };
    const [first, second] = [
      await server.post(feedPath('popular'), page),
      await server.post(feedPath('popular'), page),
    ];
    expect([first.body.body.length, first.body.warnings]).toEqual([1, undefined]);
    expect(second.body.body).toEqual([]);
    await server.close();
  }));
