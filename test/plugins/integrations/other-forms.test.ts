import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { TEST_NOW } from 'feedloom/plugin/testing';
import type { ConnectorRecord } from '../../../src/plugin/index.ts';
import { Events, Jetstream } from '../../support/jetstream.ts';
import { openTestServer, START, type TestServer } from '../../support/service.ts';
import { runOn } from './run-bluesky.ts';

/** Values that arrive in another form than the service stores, by the networks that send them. */

const SECRET = 'a-secret-of-the-sender';
const CAST = `0x${'1'.repeat(40)}`;
const ANN = 'did:plc:ann';
const POST = 'app.bsky.feed.post';

const serve = () => openTestServer({ settings: { webhook: [`neynar?secret=${SECRET}`] } });

async function deliver(server: TestServer, delivery: object): Promise<string[]> {
  const body = JSON.stringify(delivery);
  const signature = createHmac('sha512', SECRET).update(body).digest('hex');
  const answer = await server.call('POST', '/v2/community/hooks/neynar', body, {
    'x-neynar-signature': signature,
  });
  expect([answer.status, answer.body.rejected_count]).toEqual([200, 0]);
  return answer.body.warnings;
}

/** The records that the connector makes of events within the thousand seconds before now. */
async function fromBluesky({ frames }: Events): Promise<ConnectorRecord[]> {
  await using server = new Jetstream(frames, { cuts: [frames.length] });
  const collections = ['posts', 'profiles'] as ('posts' | 'profiles')[];
  return (await runOn({ url: server.url, collections }, String((TEST_NOW - 1000) * 1_000_000))).records;
}

/** Stores records of a connector, all of which must be accepted. */
async function store({ service }: TestServer, records: readonly ConnectorRecord[]): Promise<string[]> {
  const { warnings, rejected } = await service.ingest.ordered(records);
  expect(rejected).toEqual([]);
  return warnings;
}

describe('a name of 257 characters is cut with a warning, and the rest of the record counts', () => {
  const display_name = `${'x'.repeat(255)}🎉y`;
  const warning = expect.stringMatching(
    /^display_name: characters after the first 256 were dropped; got "x+…"/,
  );

  test('when Neynar delivers it', async () => {
    await using server = await serve();
    const data = {
      fid: 2,
      username: 'ann',
      display_name,
      profile: { location: { latitude: 91, longitude: 0 } },
    };
    const warnings = await deliver(server, { created_at: START, type: 'user.updated', data });
    expect(warnings).toEqual([
      warning,
      expect.stringMatching(/^geo_location: was dropped; .*; got "91,0" \(first in record 0\)$/),
    ]);
    const { body } = await server.get('/v2/community/users/2');
    expect([body.username, body.display_name, body.geo_location]).toEqual([
      'ann',
      `${'x'.repeat(255)}🎉`,
      undefined,
    ]);
  });

  test('when Bluesky sends it, with a language that is none', async () => {
    await using server = await serve();
    const events = new Events(TEST_NOW - 1000)
      .commit(ANN, 'update', 'app.bsky.actor.profile', 'self', { displayName: display_name })
      .create(ANN, POST, 'p', { text: 'a', langs: ['zh_Hant_TW'] })
      .create(ANN, POST, 'q', { text: 'b', langs: ['x'] });
    const warnings = await store(server, await fromBluesky(events));
    expect(warnings).toEqual([
      warning,
      'language: was read as zh-hant-tw; got "zh_Hant_TW" (first in record 1)',
      expect.stringMatching(/^language: was dropped; .*; got "x" \(first in record 2\)$/),
    ]);
    const { body } = await server.get(`/v2/community/items?item_id=at://${ANN}/${POST}/q`);
    expect([body.text, body.language]).toEqual(['b', undefined]);
  });
});

describe('a time without a zone is UTC, although the machine is in Tokyo', () => {
  beforeAll(() => {
    Bun.env.TZ = 'Asia/Tokyo';
  });
  afterAll(() => {
    delete Bun.env.TZ;
  });
  const local = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(/(\.\d+)?Z$/, '');

  test('the machine is in Tokyo', () => expect(new Date(0).getHours()).toBe(9));

  test('in records', async () => {
    await using server = await serve();
    const record = { item_id: 'a', author_id: 'b', created_at: local(START) };
    await server.post('/v2/community/items', record);
    expect((await server.get('/v2/community/items/a')).body.created_at).toBe(START);
  });

  test('in deliveries of Neynar', async () => {
    await using server = await serve();
    const data = { hash: CAST, author: { fid: 2 }, text: 'a', timestamp: local(START - 60), embeds: [] };
    await deliver(server, { created_at: START, type: 'cast.created', data });
    expect((await server.get(`/v2/community/items/${CAST}`)).body.created_at).toBe(START - 60);
  });

  test('in records of Bluesky', async () => {
    const made = TEST_NOW - 500;
    const events = new Events(TEST_NOW - 400).create(ANN, POST, 'p', { text: 'a', createdAt: local(made) });
    const [{ record }] = await fromBluesky(events);
    expect(record.created_at).toBe(made);
  });
});
