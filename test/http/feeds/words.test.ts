import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Community, openCommunity, whileReading } from '../support.ts';

const PLUGIN = join(import.meta.dir, '..', 'wordy-plugin.ts');

const data = mkdtempSync(join(tmpdir(), 'feedloom-words-'));
let community: Community;

beforeAll(async () => {
  community = await openCommunity({ data });
  await community.addItem('jazz', { author_id: 'ann', text: 'Late night jazz' });
  await community.addItem('vinyl', { author_id: 'bob', text: 'New record #vinyl' });
  await community.addItem('synths', { author_id: 'bob', text: 'night, late: synthesisers' });
});

afterAll(async () => {
  await community.server.close();
  rmSync(data, { recursive: true, force: true });
});

const shown = async (filters: object) => (await community.ids('popular', { filters })).sort();

describe('filters by words', () => {
  test('the first request that filters by words finds items that are older than it', async () => {
    expect(community.server.service.state.words.is_on).toBe(false);
    expect(await shown({ words: ['jazz', '#vinyl'] })).toEqual(['jazz', 'vinyl']);
    expect(await shown({ remove_words: ['late night'] })).toEqual(['synths', 'vinyl']);
  });

  test('a filter by words follows every change of an item', async () => {
    for (let round = 0; round < 3; round++) {
      await community.addItem('changing', { author_id: 'ann', text: 'about theremins', revive: true });
      expect(await shown({ words: ['theremin*'] })).toEqual(['changing']);
      await community.add('items', { item_id: 'changing', text: 'about kazoos' });
      expect(await shown({ words: ['theremin*'] })).toEqual([]);
      expect(await shown({ words: ['kazoos'] })).toEqual(['changing']);
      await community.server.remove('/v2/farcaster/items?item_id=changing');
      community.server.clock.advance(1);
      expect(await shown({ words: ['kazoos'] })).toEqual([]);
    }
  });
});

describe('a request while the words of items are read', () => {
  const jazz = { filters: { words: ['jazz'] } };

  test('a request that needs words waits for them, and other requests do not', async () => {
    await using fresh = await openCommunity();
    await fresh.addItem('old', { text: 'old jazz' });
    await fresh.addItem('changed', { text: 'still jazz' });
    const page = whileReading(
      fresh,
      () => fresh.ids('popular', jazz),
      async () => {
        expect(await fresh.ids('popular', {})).toHaveLength(2);
        await fresh.addItem('new', { text: 'new jazz' });
        await fresh.add('items', { item_id: 'changed', text: 'no more' });
      },
    );
    expect((await page).sort()).toEqual(['new', 'old']);
  });

  test('a request gets 503 if the contents cannot be read, and the next one tries again', async () => {
    await using fresh = await openCommunity();
    await fresh.addItem('old', { text: 'old jazz' });
    const { store } = fresh.server.service;
    const readItems = store.readItems.bind(store);
    store.readItems = () => Promise.reject(new Error('no disk'));
    expect((await fresh.ask('popular', jazz)).body.code).toBe('store_unavailable');
    store.readItems = readItems;
    expect(await fresh.ids('popular', jazz)).toEqual(['old']);
  });
});

describe('a service that restarts', () => {
  test('a start reads the words of items for a saved feed, and pages stay the same', async () => {
    const config = { filters: { words: ['jazz'] } };
    const feed = { endpoint: 'casts/feed/popular', name: 'Jazz', config };
    const saved = await community.server.post('/api/feed/config', feed);
    expect(saved.body.detail).toBeUndefined();
    const { config_id: feed_id } = saved.body.data;
    expect(await community.ids('popular', { feed_id })).toEqual(['jazz']);
    await community.server.close();
    community = await openCommunity({ data });
    expect(community.server.service.state.words.is_wanted).toBe(true);
    expect(await community.ids('popular', { feed_id })).toEqual(['jazz']);
  });

  test('a start needs no contents for words that are in the checkpoint', async () => {
    const { service } = community.server;
    await community.ids('popular', { filters: { words: ['jazz'] } });
    await service.checkpoints?.writeNow();
    await community.addItem('later', { author_id: 'ann', text: 'jazz after the checkpoint' });
    await community.server.close();
    community = await openCommunity({ data });
    expect(community.server.service.loaded.checkpoint_seq).toBeGreaterThan(0);
    expect(community.server.service.state.words.is_complete).toBe(true);
    expect(await shown({ words: ['jazz'] })).toEqual(['jazz', 'later']);
  });

  test('a plugin reads the words of items that are older than it', async () => {
    await community.server.close();
    community = await openCommunity({ data, settings: { plugins: PLUGIN } });
    expect(community.server.service.state.words.is_wanted).toBe(true);
    expect(await shown({ 'wordy/about': 'syn' })).toEqual(['synths']);
  });

  test('a start holds no words that nothing uses', async () => {
    await using unused = await openCommunity();
    await unused.addItem('jazz', { text: 'jazz' });
    expect(unused.server.service.state.words.size_bytes).toBe(0);
  });
});

describe('a prefix of a filter', () => {
  test('a prefix of more than 5,000 words of items is refused by name, and a longer one is not', async () => {
    await using wide = await openCommunity();
    const words = (count: number) => Array.from({ length: count }, (_, index) => `syn${index}`).join(' ');
    await wide.addItem('at the limit', { text: words(5_000) });
    expect(await wide.ids('popular', { filters: { words: ['syn*'] } })).toEqual(['at the limit']);
    await wide.addItem('beyond it', { text: 'synth' });
    const { status, body } = await wide.ask('popular', { filters: { words: ['jazz', 'Syn*'] } });
    expect(status).toBe(400);
    expect(body.code).toBe('invalid_value');
    expect(body.errors[0].message).toContain("'syn*'");
    expect(await wide.ids('popular', { filters: { words: ['synt*'] } })).toEqual(['beyond it']);
  });
});
