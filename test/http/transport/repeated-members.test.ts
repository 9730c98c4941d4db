import { describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { run } from '../../cli/run.ts';
import { importInto, withFolder } from '../../interchange/support.ts';
import { fillWithDemo } from '../../support/demo.ts';
import { forFile, openTestServer, START } from '../../support/service.ts';
import { BlueskyScene } from '../bluesky-support.ts';
import { addressOf, type Json, OPERATIONS } from '../documented.ts';
import { feedPath, ingestPath, KEY, openCommunity } from '../support.ts';

/** A member with a name that its object already has: of the two, JSON parsers keep one without a word. */

const scene = await forFile(BlueskyScene.open());
await fillWithDemo(scene.server.service);

const WITH_BODIES = OPERATIONS.flatMap((operation) => {
  const content = operation.operation.requestBody?.content['application/json'];
  const example = Object.values<Json>(content?.examples ?? {})[0]?.value;
  // A webhook needs a signature.
  if (content === undefined || operation.path.includes('/hooks/')) return [];
  return [{ ...operation, body: { any: 1, ...example } }];
});

/** A body as text, whose first member is given twice. */
function repeating(body: object): string {
  const [name, value] = Object.entries(body)[0];
  return JSON.stringify(body).replace('{', `{${JSON.stringify(name)}:${JSON.stringify(value)},`);
}

test.each(WITH_BODIES)('$name refuses a body with a member twice, and names it', async (operation) => {
  const { server } = scene;
  const { seq } = server.service.state;
  const { method, path, body } = operation;
  const [, lxm] = path.split('/xrpc/');
  const headers = lxm === undefined ? KEY : { authorization: `Bearer ${await scene.token({ lxm })}` };
  const text = repeating(body);
  const answer = await server.call(method, addressOf(operation), text, {
    ...headers,
    'content-type': 'application/json',
  });
  expect([answer.status, String(answer.body.detail ?? answer.body.message)]).toEqual([
    400,
    expect.stringContaining('any: is given more than once'),
  ]);
  expect(server.service.state.seq).toBe(seq);
});

describe('a member that is given twice', () => {
  test('is named by its path, however its name is written', async () => {
    await using server = await openTestServer();
    const body = '{"filters":{"languages":["de"],"l\\u0061nguages":[]}}';
    const { status, body: answer } = await server.post('/v2/community/feeds/popular', body);
    expect([status, answer.errors]).toEqual([
      400,
      [{ path: '/filters/languages', message: 'is given more than once' }],
    ]);
  });

  test('rejects its record alone, in an array and in lines', async () => {
    await using community = await openCommunity();
    const records = ['a', 'b', 'c'].map((id) => `{"user_id":"${id}"}`);
    records[1] = '{"user_id":"b","metadata":{"plan":1,"plan":2}}';
    const type = { 'content-type': 'application/x-ndjson' };
    for (const [body, headers] of [
      [`[${records.join()}]`, {}],
      [records.join('\n'), type],
    ] as const) {
      const { status, body: answer } = await community.server.call('POST', ingestPath('users'), body, {
        ...KEY,
        ...headers,
      });
      expect([status, answer.accepted, answer.rejected]).toEqual([
        200,
        2,
        [{ index: 1, detail: 'metadata/plan: is given more than once' }],
      ]);
    }
    expect(await community.stored('users', 'b')).toBeUndefined();
  });

  test('keeps the follows of a user from being replaced by the second list', async () => {
    await using community = await openCommunity();
    await community.follow('a', 'b');
    const path = `${ingestPath('users')}/a/follows`;
    const body = '{"target_user_ids":["b"],"target_user_ids":[]}';
    const { status, body: answer } = await community.server.call('PUT', path, body, KEY);
    expect([status, answer.detail]).toEqual([400, '/target_user_ids: is given more than once']);
    expect((await community.stored('users', 'a'))?.follows).toHaveLength(1);
  });

  test('refuses a signed delivery to a webhook', async () => {
    const secret = 'a-secret-of-the-sender';
    await using server = await openTestServer({ settings: { webhook: [`neynar?secret=${secret}`] } });
    const body = '{"type":"follow.created","type":"follow.deleted","created_at":1,"data":{}}';
    const signature = createHmac('sha512', secret).update(body).digest('hex');
    const { status, body: answer } = await server.call('POST', '/v2/community/hooks/neynar', body, {
      'x-neynar-signature': signature,
    });
    expect([status, answer.detail]).toEqual([400, '/type: is given more than once']);
  });

  test('makes a line of a file a bad line, also within a cell of CSV', async () => {
    const user = '{"user_id":"a","username":"x","username":"y"}\n{"user_id":"b"}\n';
    const feed = '{"config_id":"feed_9","name":"x","name":"y","endpoint":"feeds/popular","config":{}}\n';
    const cell = `id,extra\nc,"{""plan"":1,""plan"":2}"\n`;
    await withFolder({ 'users.jsonl': user, 'feeds.jsonl': feed, 'more.csv': cell }, async (folder) => {
      const map = 'more.csv=users:user_id=id,metadata=extra';
      const { stderr } = await run('import', folder, '--data', join(folder, 'data'), '--map', map);
      for (const line of [
        'users.jsonl:1: username: is given more than once\n',
        'feeds.jsonl:1: name: is given more than once\n',
        'more.csv:2: metadata/plan: is given more than once\n',
      ])
        expect(stderr).toContain(line);
    });
  });
});

describe('a number in metadata with more digits than a number keeps', () => {
  const id = '1610521604143693812';
  const warning = `metadata: the number /id was rounded, so send it as a string; got ${id}`;

  test('is named in the warnings of every door that stores metadata', async () => {
    await using community = await openCommunity();
    const of_item = `{"item_id":"a","author_id":"b","created_at":${START},"metadata":{"id":${id}}}`;
    const of_user = `{"user_id":"a","metadata":{"id":${id}}}`;
    for (const [kind, body] of [
      ['items', of_item],
      ['users', `[{"user_id":"z"},${of_user}]`],
    ] as const) {
      const { body: answer } = await community.server.post(ingestPath(kind), body);
      expect(answer.warnings).toEqual([`${warning} (first in record ${kind === 'items' ? 0 : 1})`]);
    }
    const contract = `base.0x${'0'.repeat(40)}`;
    const trait = `{"item_id":"${contract}.1","attributes":[{"trait_type":"n","value":${id}}]}`;
    const { body: answer } = await community.server.post('/base/items', trait);
    expect(answer.warnings).toEqual([
      `attributes: the number /value was rounded, so send it as a string; got ${id} (first in record 0)`,
    ]);
    await withFolder({ 'users.jsonl': `${of_user}\n` }, async (folder) => {
      const { lines } = await importInto(community.server, folder);
      expect(lines).toContain(`users.jsonl:1: ${warning}`);
    });
  });

  test('is named in the warnings of feeds that keep it, and of pages and previews', async () => {
    await using community = await openCommunity();
    const { server } = community;
    const config = `"config":{"candidate_source":{"id":${id}}}`;
    const saved = await server.call('POST', '/api/feed/config', `{"name":"Home",${config}}`, KEY);
    const of_config = `the number /config/candidate_source/id was rounded, so send it as a string; got ${id}`;
    expect(saved.body.warnings).toContain(of_config);
    const preview = await server.call('POST', '/api/feed/preview', `{"user_id":"v",${config}}`, KEY);
    expect(preview.body.warnings).toContain(of_config);
    const page = await server.post(feedPath('popular'), `{"candidate_source":{"id":${id}}}`);
    expect(page.body.warnings).toContain(of_config.replace('/config', ''));
  });

  test('is not named where digits do not matter, or are kept', async () => {
    await using community = await openCommunity();
    const labels = `"ai_labels":{"art":0.12345678901234567890}`;
    const kept = `"metadata":{"id":"${id}","half":0.50000000000000000000,"pi":3.141592653589793}`;
    const body = `{"item_id":"a","author_id":"b","created_at":${START}.123456789012345678,${labels},${kept}}`;
    const { body: answer } = await community.server.post(ingestPath('items'), body);
    expect([answer.accepted, answer.warnings]).toEqual([1, undefined]);
  });
});
