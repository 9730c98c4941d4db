import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../../src/clock.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import type { TestAnswer } from '../../support/service.ts';
import { forFile } from '../../support/service.ts';
import { testCommunity as it, openCommunity } from '../support.ts';

const community = await forFile(openCommunity());
for (const [item_id, ...numbers] of [
  ['one', 1],
  ['same', 1],
  ['near', 1, 0.2],
  ['far', 1, 1],
  ['other', 0, 0, 1],
] as [string, ...number[]][]) {
  await community.addItem(item_id, { author_id: `by ${item_id}`, embedding: vector(...numbers) });
}
await community.addItem('without');
// Acts lead to other items than the meaning.
for (const user of ['a', 'b', 'c']) {
  await community.act(user, 'like', 'one');
  await community.act(user, 'like', 'other');
  await community.act(user, 'like', 'without');
}
await community.act('a', 'like', 'far');

function vector(...numbers: number[]): number[] {
  return [...numbers, ...Array<number>(16 - numbers.length).fill(0)];
}

function ask(item_id: string, query = ''): Promise<TestAnswer> {
  return community.server.get(`/v2/farcaster/items/${item_id}/similar${query}`);
}

interface Similar {
  item_id: string;
  score: number;
  acts: number;
  meaning: number;
}

async function similar(item_id: string, query = ''): Promise<Similar[]> {
  const { status, body } = await ask(item_id, query);
  expect({ status, item_id: body.item_id }).toEqual({ status: 200, item_id });
  return body.items;
}

const idsOf = (items: readonly Similar[]) => items.map(({ item_id }) => item_id);

describe('similar items', () => {
  test('by meaning are ordered by their embeddings, and nobody need have acted on them', async () => {
    const items = await similar('one', '?by=meaning');
    expect(idsOf(items)).toEqual(['same', 'near', 'far']);
    expect(items[0]).toEqual({ item_id: 'same', score: 1, acts: 0, meaning: 1 });
    expect(items[1].meaning).toBeLessThan(1);
    expect(items[2].meaning).toBeLessThan(items[1].meaning);
  });

  test('by acts are ordered by the users who acted on both', async () => {
    const items = await similar('one', '?by=acts');
    expect(idsOf(items).toSorted()).toEqual(['far', 'other', 'without']);
    expect(Math.max(...items.map(({ acts }) => acts))).toBe(1);
    expect(items.at(-1)?.item_id).toBe('far');
    expect(items.every(({ meaning }) => meaning === 0)).toBe(true);
  });

  it('by acts count a like, comment, share or bookmark alike, a view a fifth, and a hide or report nothing', async (other) => {
    const types = ['like', 'comment', 'share', 'bookmark', 'view', 'hide', 'report'];
    await other.addItem('one');
    for (const event_type of types) {
      await other.addItem(`by ${event_type}`);
      const timestamp = other.now;
      await other.act(`user of ${event_type}`, 'like', 'one', { timestamp });
      await other.act(`user of ${event_type}`, event_type, `by ${event_type}`, { timestamp });
    }
    const path = '/v2/farcaster/items/one/similar?by=acts';
    const { body } = await other.server.get(path);
    const acts = Object.fromEntries(body.items.map((item: Similar) => [item.item_id, item.acts]));
    expect(Object.keys(acts).toSorted()).toEqual(
      types
        .slice(0, 5)
        .map((type) => `by ${type}`)
        .toSorted(),
    );
    for (const type of ['like', 'comment', 'share', 'bookmark'])
      expect(acts[`by ${type}`]).toBeGreaterThan(0.9);
    expect(acts['by view']).toBeLessThan(0.3);
  });

  test('by both, which is the default, are those of either, with the mean as score', async () => {
    const items = await similar('one');
    expect(items).toEqual(await similar('one', '?by=both'));
    expect(idsOf(items).toSorted()).toEqual(['far', 'near', 'other', 'same', 'without']);
    for (const { score, acts, meaning } of items) expect(score).toBeCloseTo((acts + meaning) / 2, 5);
    const scores = items.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  });

  test('are empty for an item without embedding or without acts', async () => {
    expect(await similar('without', '?by=meaning')).toEqual([]);
    expect(await similar('same', '?by=acts')).toEqual([]);
  });

  test('are at most as many as asked for', async () => {
    expect(idsOf(await similar('one', '?by=meaning&limit=2'))).toEqual(['same', 'near']);
  });

  it('leave out deleted and hidden items, and those of hidden authors', async (other) => {
    const ids = async () => {
      const { body } = await other.server.get('/v2/farcaster/items/one/similar');
      return idsOf(body.items).toSorted();
    };
    for (const item_id of ['one', 'deleted', 'hidden', 'by hidden', 'left', 'future'])
      await other.addItem(item_id, { author_id: `by ${item_id}`, embedding: vector(1) });
    expect(await ids()).toHaveLength(5);
    await other.remove('items', 'deleted');
    await other.add('items', { item_id: 'hidden', hidden: true });
    await other.add('users', { user_id: 'by by hidden', hidden: true });
    await other.add('items', { item_id: 'future', created_at: other.now + 3_600 });
    expect(await ids()).toEqual(['left']);
  });

  it('are found behind many more similar ones that no feed may show', async (other) => {
    const others = Array.from({ length: 200 }, (_, at) => ({
      ...{ item_id: `other ${at}`, author_id: 'author', created_at: other.now },
      embedding: vector(0, 0, ...Array<number>(at % 10).fill(0), 1),
    }));
    const spam = Array.from({ length: 100 }, (_, at) => ({
      ...{ item_id: `spam ${at}`, author_id: 'spammer', created_at: other.now },
      embedding: vector(1),
    }));
    await other.add('items', ...spam, ...others);
    await other.addItem('one', { embedding: vector(1) });
    await other.addItem('near', { embedding: vector(1, 0.5) });
    await other.add('users', { user_id: 'spammer', hidden: true });
    const path = '/v2/farcaster/items/one/similar?by=meaning&limit=2';
    const { body } = await other.server.get(path);
    expect(idsOf(body.items)).toEqual(['near']);
  });

  it('are found behind more hidden ones than a search compares', async (other) => {
    await other.addItem('one', { embedding: vector(1) });
    await other.addItem('near', { embedding: vector(1, 0.9) });
    const random = seededRandom(1);
    // Different texts about one subject, each nearer to the item than the visible one.
    const spam = Array.from({ length: 1_200 }, (_, at) => ({
      ...{ item_id: `spam ${at}`, author_id: 'spammer', created_at: other.now },
      embedding: vector(1, ...Array.from({ length: 14 }, () => 0.4 * (random() - 0.5))),
    }));
    await other.add('items', ...spam.slice(0, 600));
    await other.add('items', ...spam.slice(600));
    const path = '/v2/farcaster/items/one/similar?by=meaning&limit=2';
    const ids = async (): Promise<string[]> => idsOf((await other.server.get(path)).body.items);
    const before = await ids();
    expect(before.map((id) => id.slice(0, 4))).toEqual(['spam', 'spam']);
    await other.add('users', { user_id: 'spammer', hidden: true });
    expect(await ids()).toEqual(['near']);
    await other.add('users', { user_id: 'spammer', hidden: false });
    expect(await ids()).toEqual(before);
  });

  it('are all there if they have the same embedding, without the item itself', async (other) => {
    const ids = Array.from({ length: 40 }, (_, at) => `copy ${at}`);
    await other.add(
      'items',
      ...ids.map((item_id) => ({
        ...{ item_id, author_id: 'author', created_at: other.now },
        embedding: vector(1),
      })),
    );
    for (const id of ['copy 0', 'copy 20']) {
      const path = `/v2/farcaster/items/${id}/similar?by=meaning&limit=100`;
      const { body } = await other.server.get(path);
      expect(idsOf(body.items).toSorted()).toEqual(ids.filter((each) => each !== id).toSorted());
    }
    await other.remove('items', 'copy 0');
    const path = '/v2/farcaster/items/copy%201/similar?by=meaning&limit=100';
    const { body } = await other.server.get(path);
    expect(body.items).toHaveLength(38);
  });

  test('for a user leave out what the user hid, and items of users in a block with them', async () => {
    await community.act('viewer', 'hide', 'same');
    await community.block('by near', 'viewer');
    expect(idsOf(await similar('one', '?by=meaning&user_id=viewer'))).toEqual(['far']);
    expect(idsOf(await similar('one', '?by=meaning&user_id=unknown'))).toEqual(['same', 'near', 'far']);
  });

  it('for a user are not found for an item that this user may not see', async (other) => {
    for (const item_id of ['one', 'hidden', 'ahead'])
      await other.addItem(item_id, { author_id: `by ${item_id}` });
    await other.add('items', { item_id: 'hidden', hidden: true });
    await other.add('items', { item_id: 'ahead', created_at: other.now + 3_600 });
    await other.block('by one', 'blocked');
    const statusOf = async (path: string) => (await other.server.get(`/v2/farcaster/items/${path}`)).status;
    expect(await statusOf('one/similar?user_id=viewer')).toBe(200);
    for (const path of [
      'one/similar?user_id=blocked',
      'hidden/similar?user_id=viewer',
      'ahead/similar?user_id=x',
    ])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    // Moderators look for items like a hidden one.
    expect(await statusOf('hidden/similar')).toBe(200);
  });

  it('of a viewer token are those by meaning for its viewer', async (other) => {
    for (const item_id of ['one', 'same', 'near', 'far', 'by a foe', 'hidden'])
      await other.addItem(item_id, { author_id: `by ${item_id}`, embedding: vector(1) });
    await other.add('items', { item_id: 'hidden', hidden: true });
    await other.act('viewer', 'hide', 'same');
    await other.block('by by a foe', 'viewer');
    // What a single user viewed.
    await other.act('reader', 'view', 'one');
    await other.act('reader', 'bookmark', 'far');
    const { body } = await other.server.post('/api/tokens', { user_id: 'viewer', ttl_seconds: 60 });
    const token = { authorization: `Bearer ${body.token}` };
    const get = (path: string) => other.server.call('GET', `/v2/farcaster/items/${path}`, undefined, token);
    for (const path of ['one/similar?by=meaning', 'similar?item_id=one&by=meaning&user_id=viewer'])
      expect(idsOf((await get(path)).body.items).toSorted()).toEqual(['far', 'near']);
    expect((await get('hidden/similar?by=meaning')).status).toBe(404);
    for (const [path, fault] of [
      [
        'one/similar?by=meaning&user_id=reader',
        'user_id: this viewer token reads the feeds of another user only',
      ],
      ['one/similar', 'by: a viewer token reads similar items by meaning only'],
      ['one/similar?by=acts', 'by: a viewer token reads similar items by meaning only'],
      ['similar', 'a viewer token only reads the feeds of its viewer'],
    ]) {
      const { status, body } = await get(path);
      expect([path, status, body.detail.slice(0, fault.length)]).toEqual([path, 403, fault]);
    }
  });

  test('of an unknown item are not found', async () => {
    const { status, body } = await ask('nothing');
    expect({ status, detail: body.detail }).toEqual({ status: 404, detail: "there is no item 'nothing'" });
  });
});

describe('similar items after a start without a checkpoint', () => {
  test('by meaning are refused until the index is complete, and those by acts are not', async () => {
    const data = temporaryFolder('similar');
    const timers = new ManualTimers();
    const former = await openCommunity({ data });
    await former.addItem('one', { embedding: vector(1) });
    await former.addItem('far', { embedding: vector(1, 1) });
    await former.addItem('near', { embedding: vector(1, 0.2) });
    await former.act('a', 'like', 'one');
    await former.act('a', 'like', 'far');
    await former.server.close();
    await using later = await openCommunity({
      data,
      settings: { derived_lag_ms: 2_000 },
      opening: { timers },
    });
    const ask = (query: string) => later.server.get(`/v2/farcaster/items/one/similar${query}`);
    const warming = async () => (await later.server.call('GET', '/readyz')).body.warming;
    for (const query of ['', '?by=meaning']) {
      const { status, headers, body } = await ask(query);
      expect([status, headers.get('retry-after'), body.code]).toEqual([503, '5', 'loading']);
    }
    expect([(await ask('?by=acts')).status, await warming()]).toEqual([200, true]);
    await later.server.service.feeds.upkeep.buildRankings([], async () => {});
    expect(idsOf((await ask('?by=meaning')).body.items)).toEqual(['near', 'far']);
    expect(await warming()).toBe(false);
  });
});
