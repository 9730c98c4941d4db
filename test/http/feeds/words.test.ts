import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Community, openCommunity } from '../support.ts';

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
