import { beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { checkAsync } from '../../support/long.ts';
import { forFile, openTestServer, type TestAnswer } from '../../support/service.ts';
import { defaultAccount } from '../config-support.ts';
import type { Fields } from '../support.ts';

const server = await forFile(openTestServer());
const account = defaultAccount(server);
await account.add({ name: 'first', config: { top_k: 5 } });

/** Everything that is stored; refused requests leave it as it was. */
let before: string;
const stored = async (): Promise<string> => JSON.stringify(await server.service.store.feeds.all());
beforeEach(async () => {
  before = await stored();
});

/** Values of every JSON type, including those that tend to break programs. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom<unknown>(
    2 ** 53,
    -1,
    0.1,
    '__proto__',
    '\u0000',
    '\ud800',
    'x'.repeat(3_000),
    [[[[]]]],
    [null],
  ),
  fc.constant(JSON.parse('{"__proto__":{"name":"all"},"constructor":{"prototype":{}}}')),
);
const names = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'revision',
    'config_id',
    'promotion_filters',
    'data',
  ),
  fc.string({ maxLength: 10 }),
);
const configs = fc.oneof(
  anything,
  fc.record(
    {
      top_k: fc.oneof(fc.integer({ min: 1, max: 500 }), anything),
      filters: fc.oneof(
        anything,
        fc.dictionary(fc.oneof(fc.constantFrom('channels', 'languages'), names), anything),
      ),
      scoring: fc.oneof(fc.constant('all'), anything),
      time_decay: anything,
      feed_diversity_config: anything,
      visibility_rules: anything,
      return_metadata: anything,
      candidate_source: anything,
      fallback_feeds: anything,
      explain: anything,
    },
    { requiredKeys: [] },
  ),
);
const objects = fc
  .tuple(
    fc.record(
      {
        name: fc.oneof(fc.string(), anything),
        description: anything,
        endpoint: fc.oneof(fc.constant('casts/feed/popular'), anything),
        status: fc.oneof(fc.constant('inactive'), anything),
        visibility: anything,
        config: configs,
        feed_image_url: anything,
        short_name: anything,
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(names, anything, { maxKeys: 3 }),
  )
  .map(([known, unknown]) => Object.assign(Object.create(null), unknown, known) as Fields);

/** The feed is refused and not stored, or stored as answered. */
async function expectSound(answer: TestAnswer): Promise<void> {
  const { status, body } = answer;
  expect([200, 201, 400, 404]).toContain(status);
  if (status >= 400) {
    expect(['invalid_value', 'not_found']).toContain(body.code);
    expect(await stored()).toBe(before);
    return;
  }
  const { config_id, endpoint } = body.data;
  expect((await account.get(config_id)).body.data).toEqual(body.data);
  const request = { user_id: 'v', feed_id: config_id };
  const asked = await account.ask(endpoint.split('/').at(-1), request);
  expect(asked.status).toBe(body.data.status === 'active' ? 200 : 404);
  before = await stored();
}

test('every mutated new feed or change is either refused or works', async () => {
  await checkAsync(100, [objects, fc.boolean()], async (object, is_new) => {
    const text = JSON.stringify(is_new ? object : { ...object, config_id: 'feed_1' });
    await expectSound(is_new ? await account.create(text) : await account.patch(text));
  });
  expect(server.log).toEqual([]);
});

test('every mutated list request is either refused or answered', async () => {
  const body = fc.record({ visibility: anything, limit: anything, offset: anything }, { requiredKeys: [] });
  await checkAsync(50, [body], async (wanted) => {
    const { status } = await account.list(wanted);
    expect([200, 400]).toContain(status);
  });
  expect(await stored()).toBe(before);
});
