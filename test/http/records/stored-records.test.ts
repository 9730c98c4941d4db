import { describe, expect, test } from 'bun:test';
import { forFile, START } from '../../support/service.ts';
import { ingestPath, KEY, openCommunity } from '../support.ts';

const community = await forFile(openCommunity());

const ODD_IDS = [
  'a/b/c',
  'https://example.com/x?y=z#part',
  'with space',
  ' ',
  'ünïcödé 日本 👋',
  '50%',
  '%2F',
  '%zz',
  'a+b&c=d;e,f:g@h',
  'quote"\'`back\\slash',
  '__proto__',
  '0',
  '...',
  'x'.repeat(256),
];

describe('identifiers of any characters, percent-encoded in the path,', () => {
  for (const id of ODD_IDS) {
    test(`are read and deleted: ${id.slice(0, 40)}`, async () => {
      await community.addItem(id, { text: 'odd' });
      await community.add('users', { user_id: id, username: 'odd' });
      await community.act(id, 'like', id, { event_id: id });
      expect(await community.stored('items', id)).toMatchObject({ item_id: id, text: 'odd', likes_count: 1 });
      expect(await community.stored('users', id)).toMatchObject({ user_id: id, username: 'odd' });
      expect(await community.ids('popular', { user_id: id, top_k: 1000 })).not.toContain(id);
      await community.remove('items', id);
      await community.remove('users', id);
      expect(await community.stored('items', id)).toBeUndefined();
      expect(await community.stored('users', id)).toBeUndefined();
    });
  }

  test('identifiers in the path are never folded or trimmed', async () => {
    await community.addItem('Case');
    for (const other of ['case', 'CASE', ' Case', 'Case ']) {
      expect(await community.stored('items', other)).toBeUndefined();
    }
  });
});

const byQuery = (method: string, kind: 'items' | 'users', query: string) =>
  community.server.call(method, `${ingestPath(kind)}${query}`, undefined, KEY);

describe('identifiers in the query', () => {
  for (const id of [...ODD_IDS, '.', '..', '../x', '%2e']) {
    test(`are read and deleted: ${id.slice(0, 40)}`, async () => {
      // Others of this file have deleted some.
      await community.addItem(id, { revive: true });
      await community.add('users', { user_id: id, username: 'odd', revive: true });
      for (const [kind, name] of [
        ['items', 'item_id'],
        ['users', 'user_id'],
      ] as const) {
        const query = `?${new URLSearchParams({ [name]: id })}`;
        expect((await byQuery('GET', kind, query)).body).toMatchObject({ [name]: id });
        const { status, body } = await byQuery('DELETE', kind, `?${name}=${encodeURIComponent(id)}`);
        expect([status, body.status]).toEqual([200, 'success']);
        expect((await byQuery('GET', kind, query)).status).toBe(404);
      }
    });
  }

  test('identifiers in the query must be given once, percent-encoded', async () => {
    await community.add('users', { user_id: '\ufffd' }, { user_id: 'a' }, { user_id: 'a b' });
    const refused = async (method: string, query: string, message: string) => {
      const { status, body } = await byQuery(method, 'users', query);
      expect([query, status, body.errors[0]]).toEqual([query, 400, { path: '/user_id', message }]);
    };
    for (const query of ['', '?', '?user_id', '?item_id=a'])
      await refused('DELETE', query, 'must be given once in the query');
    for (const method of ['GET', 'DELETE'])
      for (const query of ['?user_id=%FF', '?user_id=%zz'])
        await refused(method, query, 'is not percent-encoded UTF-8');
    for (const query of ['?user_id=%EF%BF%BD', '?x=1&user_id=a', '?user_id=a+b', '?user_id=a%20b'])
      expect([query, (await byQuery('GET', 'users', query)).status]).toEqual([query, 200]);
  });
});

test('an unknown record gets a 404 that names it', async () => {
  await community.act('somebody', 'like', 'never described');
  for (const [kind, id] of [
    ['items', 'nothing'],
    ['items', 'never described'],
    ['users', 'stranger'],
  ] as const) {
    for (const method of ['GET', 'DELETE']) {
      const path = `${ingestPath(kind)}/${encodeURIComponent(id)}`;
      const { status, body } = await community.server.call(method, path, undefined, KEY);
      expect([status, body.code]).toEqual([404, 'not_found']);
      expect(body.detail).toBe(`there is no ${kind.slice(0, -1)} '${id}'`);
    }
  }
});

test('a second deletion gets a 404', async () => {
  await community.addItem('once');
  await community.add('users', { user_id: 'once' });
  for (const kind of ['items', 'users'] as const) {
    await community.remove(kind, 'once');
    const { status } = await community.server.remove(`${ingestPath(kind)}/once`);
    expect(status).toBe(404);
  }
});

test('the record of an item has its stored fields, counts and whole seconds', async () => {
  const record = {
    item_id: 'full',
    author_id: 12,
    created_at: '2025-12-31T23:00:00.75Z',
    text: 'text',
    embed_items: ['https://a.example/x'],
    channel: 'c',
    parent_item_id: 'p',
    root_item_id: 'r',
    app_fid: 9152,
    language: 'en',
    publication_types: ['Videos'],
    geo_location: '1,2',
    ai_labels: ['gaming'],
    likes_count: 5,
    updated_at: START - 10,
    mentioned_profiles: ['m'],
    hidden: true,
    metadata: { any: [1, 'x', null] },
  };
  await community.add('items', record);
  await community.act('fan', 'like', 'full');
  await community.act('fan', 'share', 'full');
  expect(await community.stored('items', 'full')).toEqual({
    item_id: 'full',
    author_id: '12',
    created_at: START - 3600,
    text: 'text',
    embed_items: ['https://a.example/x'],
    embed_domains: ['a.example'],
    channel: 'c',
    parent_item_id: 'p',
    root_item_id: 'r',
    app_fid: '9152',
    language: 'en',
    publication_types: ['video'],
    geo_location: '1,2',
    ai_labels: { gaming: 1 },
    mentioned_profiles: ['m'],
    hidden: true,
    metadata: { any: [1, 'x', null] },
    likes_count: 6,
    comments_count: 0,
    shares_count: 1,
  });
});

test('the record of a user has counts, follows and the latest interactions', async () => {
  await community.add('users', {
    user_id: 'u',
    username: 'name',
    wallet_addresses: ['0xAB', '0xab'],
    created_at: START - 0.5,
    metadata: { plan: 'pro' },
  });
  await community.follow('u', 'followed');
  await community.follow('u', 'left', { timestamp: START - 9 });
  await community.follow('u', 'left', { action: 'unfollow' });
  await community.follow('follower', 'u');
  await community.addItem('own', { author_id: 'u' });
  await community.act('u', 'like', 'one', { timestamp: START - 20.5 });
  await community.act('u', 'share', 'two', { timestamp: START - 10.001 });
  await community.act('u', 'hide', 'three', { timestamp: START - 15 });
  await community.act('u', 'like', 'four', { timestamp: START - 30 });
  await community.act('u', 'like', 'four', { timestamp: START - 5, action: 'remove' });
  expect(await community.stored('users', 'u')).toEqual({
    user_id: 'u',
    username: 'name',
    wallet_addresses: ['0xab'],
    created_at: START - 1,
    metadata: { plan: 'pro' },
    counts: { items: 1, following: 1, followers: 1, interactions: 3 },
    follows: ['followed'],
    interactions: [
      { item_id: 'two', event_type: 'share', timestamp: START - 11 },
      { item_id: 'three', event_type: 'hide', timestamp: START - 15 },
      { item_id: 'one', event_type: 'like', timestamp: START - 21 },
    ],
  });
});

test('a user who was only named by other records has a record', async () => {
  await community.follow('somebody', 'named');
  expect(await community.stored('users', 'named')).toEqual({
    user_id: 'named',
    counts: { items: 0, following: 0, followers: 1, interactions: 0 },
    follows: [],
    interactions: [],
  });
});

test('an item that is deleted while it is read is answered as it was, or with 404', async () => {
  const { store } = community.server.service;
  const read = store.readItems.bind(store);
  const answers: unknown[] = [];
  for (const purged of [false, true]) {
    const id = `deleted while read, ${purged ? 'and purged' : 'not purged'}`;
    await community.addItem(id, { text: 'as it was', created_at: START - 5 });
    store.readItems = async (seqs) => {
      store.readItems = read;
      const contents = await read(seqs);
      await community.remove('items', id);
      return purged ? new Map() : contents;
    };
    const path = `${ingestPath('items')}/${encodeURIComponent(id)}`;
    const { status, body } = await community.server.get(path);
    answers.push([status, body.created_at]);
  }
  expect(answers).toEqual([
    [200, START - 5],
    [404, undefined],
  ]);
});
