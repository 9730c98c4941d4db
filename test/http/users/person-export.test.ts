import { expect, test } from 'bun:test';
import { ENGINES, withPlace } from '../../store/engines.ts';
import { START } from '../../support/service.ts';
import { type Community, type Fields, ingestPath, openCommunity } from '../support.ts';

async function exported(community: Community, user_id: string): Promise<Fields[]> {
  const path = `${ingestPath('users')}/${encodeURIComponent(user_id)}/export`;
  const { status, headers, body } = await community.server.get(path);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  // A single line would have been parsed.
  expect(body).toEndWith('\n');
  return body
    .trimEnd()
    .split('\n')
    .map((line: string) => JSON.parse(line));
}

async function fill(community: Community): Promise<void> {
  await community.add('users', {
    user_id: 'person',
    username: 'name',
    wallet_addresses: ['0xab'],
    created_at: START - 1000.5,
    updated_at: START - 500,
    metadata: { plan: 'pro' },
  });
  await community.addItem('own', { author_id: 'person', text: 'by the person', created_at: START - 5.5 });
  await community.addItem('other');
  await community.follow('person', 'friend', { timestamp: START - 9.5 });
  await community.follow('person', 'former', { timestamp: START - 8 });
  await community.follow('person', 'former', { timestamp: START - 7, action: 'unfollow' });
  await community.follow('fan', 'person', { timestamp: START - 6 });
  await community.block('person', 'foe');
  await community.block('enemy', 'person');
  await community.act('person', 'like', 'other', { timestamp: START - 4 });
  await community.act('person', 'comment', 'other', { timestamp: START - 3, event_id: 'c1' });
  await community.act('person', 'like', 'other', { timestamp: START - 2, action: 'remove' });
  await community.act('fan', 'like', 'own');
  await community.act('person', 'share', 'other', { timestamp: START - 1, event_id: 'at://share' });
  await community.page('popular', { user_id: 'person', impression_count: 2, show_interacted_items: true });
}

for (const engine of ENGINES) {
  test(`an export from ${engine.name} contains all data of the person, one object per line, and no data of others`, () =>
    withPlace(engine, async ({ data, database_url }) => {
      await using community = await openCommunity({ data, settings: { database_url } });
      await fill(community);
      const lines = await exported(community, 'person');
      const act = { kind: 'interaction', item_id: 'other' };
      expect(lines.filter(({ kind }) => kind !== 'impression')).toEqual([
        {
          kind: 'profile',
          user_id: 'person',
          username: 'name',
          wallet_addresses: ['0xab'],
          created_at: START - 1001,
          updated_at: START - 500,
          metadata: { plan: 'pro' },
        },
        { kind: 'follow', target_user_id: 'friend', action: 'follow', timestamp: START - 10 },
        { kind: 'follow', target_user_id: 'former', action: 'unfollow', timestamp: START - 7 },
        { kind: 'follower', user_id: 'fan', timestamp: START - 6 },
        { kind: 'block', target_user_id: 'foe', action: 'block', timestamp: START },
        {
          kind: 'item',
          item_id: 'own',
          created_at: START - 6,
          text: 'by the person',
          likes_count: 1,
          comments_count: 0,
          shares_count: 0,
        },
        { ...act, event_type: 'like', action: 'add', timestamp: START - 4 },
        { ...act, event_type: 'comment', action: 'add', timestamp: START - 3, event_id: 'c1' },
        { ...act, event_type: 'like', action: 'remove', timestamp: START - 2 },
        { ...act, event_type: 'share', action: 'add', timestamp: START - 1 },
        {
          ...act,
          kind: 'event',
          event_id: 'at://share',
          event_type: 'share',
          action: 'add',
          timestamp: START - 1,
        },
        { kind: 'end', lines: lines.length },
      ]);
      const seen = lines.filter(({ kind }) => kind === 'impression');
      expect(seen.map(({ item_id, timestamp }) => [item_id, timestamp]).sort()).toEqual([
        ['other', START],
        ['own', START],
      ]);
    }));
}

test('the export of an unknown person is a 404, and of a person that was only named it has a profile', async () => {
  await using community = await openCommunity();
  await community.follow('somebody', 'named', { timestamp: START - 1 });
  expect(await exported(community, 'named')).toEqual([
    { kind: 'profile', user_id: 'named' },
    { kind: 'follower', user_id: 'somebody', timestamp: START - 1 },
    { kind: 'end', lines: 3 },
  ]);
  const path = `${ingestPath('users')}/unknown/export`;
  const { status, body } = await community.server.get(path);
  expect([status, body.detail]).toEqual([404, "there is no user 'unknown'"]);
});

test('a person whose identifier a path cannot carry is exported by query', async () => {
  await using community = await openCommunity();
  await community.add('users', { user_id: '..', username: 'dots' }, { user_id: 'export', username: 'word' });
  const get = (path: string) => community.server.get(`${ingestPath('users')}/${path}`);
  expect((await get('export?user_id=..')).body).toStartWith(
    '{"kind":"profile","user_id":"..","username":"dots"}\n',
  );
  expect((await get('export/export')).body).toStartWith('{"kind":"profile","user_id":"export"');
  expect((await get('export')).body).toMatchObject({ user_id: 'export', username: 'word' });
  expect((await get('export?user_id=')).status).toBe(400);
});

test('a large export is streamed, and is cut off if the person is erased meanwhile', async () => {
  await using community = await openCommunity();
  const items = Array.from({ length: 500 }, (_, index) => ({
    item_id: `item ${index}`,
    author_id: 'person',
    created_at: START - index,
    text: 'x'.repeat(1_000),
  }));
  await community.add('items', ...items);
  const { service } = community.server;
  let read = 0;
  const readItems = service.store.readItems.bind(service.store);
  service.store.readItems = (...asked) => {
    read++;
    return readItems(...asked);
  };
  const lines = await exported(community, 'person');
  expect(lines.filter(({ kind }) => kind === 'item')).toHaveLength(500);
  expect(read).toBe(5);
  service.store.readItems = async (...asked) => {
    if (++read === 7) await service.ingest.deleteUser('person');
    return readItems(...asked);
  };
  const path = `${ingestPath('users')}/person/export`;
  const broken = await community.server.get(path).catch((error: Error) => error);
  expect(String(broken)).toContain("there is no user 'person'");
  expect(community.server.log.join('\n')).toContain('an answer was cut off while it was sent');
});
