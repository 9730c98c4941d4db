import { describe, expect, test } from 'bun:test';
import { lexicons } from '@atproto/api';
import { defaultAccount } from '../http/config-support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openTestServer, START } from '../support/service.ts';
import { run } from './run.ts';

const DID = ['--bluesky-did', 'did:web:feeds.example.com'];
const PUBLISHER = ['--bluesky-publisher-did', 'did:plc:z72i7hdynmk6r22z27h6tvur'];
const record = (feed: string, ...more: string[]) =>
  run('bluesky', 'record', '--feed', feed, '--data', data, ...more);

const data = temporaryFolder('bluesky');
await using server = await openTestServer({ data });
const account = defaultAccount(server);
const config = (rkey: string) => ({ bluesky: { rkey } });
const feeds = [
  { name: 'For me', description: 'd'.repeat(400), visibility: 'public', config: config('for-me') },
  { name: 'A name that is much too long for it', config: config('long') },
  {
    name: 'A name that is much too long for it',
    short_name: '👨‍👩‍👧'.repeat(13),
    config: config('family'),
  },
  { name: 'No key' },
];
for (const feed of feeds) expect((await account.create(feed)).status).toBe(201);

describe('feedloom bluesky record', () => {
  test('the record of a feed is printed on stdout, valid by the lexicon, and its URI on stderr', async () => {
    const { code, stdout, stderr } = await record('feed_1', ...DID, ...PUBLISHER);
    expect(code).toBe(0);
    const printed = JSON.parse(stdout);
    expect(printed).toEqual({
      $type: 'app.bsky.feed.generator',
      did: 'did:web:feeds.example.com',
      displayName: 'For me',
      description: 'd'.repeat(300),
      acceptsInteractions: true,
      createdAt: new Date(START * 1_000).toISOString(),
    });
    lexicons.assertValidRecord('app.bsky.feed.generator', printed);
    expect(stderr).toBe('at://did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.generator/for-me\n');
  });

  test('a short name is preferred, and a feed that is not served yet is named', async () => {
    const { code, stdout, stderr } = await record('feed_3', ...DID);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).displayName).toBe('👨‍👩‍👧'.repeat(13));
    lexicons.assertValidRecord('app.bsky.feed.generator', JSON.parse(stdout));
    expect(stderr).toStartWith('at://did:web:feeds.example.com/app.bsky.feed.generator/family\n');
    expect(stderr).toContain('its visibility must be public');
  });

  test.each([
    ['an unknown feed', 'feed_9', DID, "there is no feed 'feed_9'"],
    ['a feed without a record key', 'feed_4', DID, 'has no record key'],
    ['a name that is too long', 'feed_2', DID, 'Save the feed with a short_name'],
    ['a service without a DID', 'feed_1', [], 'FEEDLOOM_BLUESKY_DID'],
    ['a bad DID', 'feed_1', ['--bluesky-did', 'feeds.example.com'], 'must be a DID such as'],
  ])('%s ends the command with 2', async (_, feed, flags, reason) => {
    const { code, stdout, stderr } = await record(feed, ...flags);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
  });
});
