import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Community, type Fields, openCommunity } from '../support.ts';

const PLUGIN = join(import.meta.dir, '..', 'reading-plugin.ts');
const CONTAINING = 'reader/containing';
const NAMED = 'reader/named_v1.0.0';

const data = mkdtempSync(join(tmpdir(), 'feedloom-reads-'));
let community: Community;

/** What was written before the plugin was there is read after the restart that loads it. */
beforeAll(async () => {
  const before = await openCommunity({ data });
  const priced = (price: unknown) => ({ metadata: { shop: { price } } });
  await before.addItem('dear', { author_id: 'ann', text: 'A violin', ...priced(900) });
  await before.addItem('cheap', { author_id: 'ann', text: 'A kazoo', ...priced(2) });
  await before.addItem('odd', { author_id: 'bob', text: 'A violin bow', ...priced('ask') });
  await before.add('users', { user_id: 'ann', username: 'ann', metadata: { plan: 'pro' } });
  await before.server.close();
  community = await openCommunity({ data, settings: { plugins: PLUGIN } });
});

afterAll(async () => {
  await community.server.close();
  rmSync(data, { recursive: true, force: true });
});

const containing = (part: string): Fields => ({ filters: { [CONTAINING]: part } });
const named = (options: Fields): Fields => ({ visibility_rules: { [NAMED]: options } });

describe('what a plugin reads', () => {
  test('a plugin reads fields of items that are older than the plugin', async () => {
    expect((await community.ids('popular', containing('violin'))).sort()).toEqual(['dear', 'odd']);
    expect(await community.ids('popular', { scoring: 'reader/cheapest_v1.0.0' })).toEqual([
      'cheap',
      'dear',
      'odd',
    ]);
    expect((await community.ids('popular', named({}))).sort()).toEqual(['cheap', 'dear']);
    expect((await community.ids('popular', named({ plan: 'pro' }))).sort()).toEqual(['cheap', 'dear']);
    expect(await community.ids('popular', named({ plan: 'free' }))).toEqual([]);
  });

  test('a plugin reads fields as they are after each write', async () => {
    await community.add('items', { item_id: 'odd', text: 'A flute', metadata: { shop: { price: 1 } } });
    await community.add('users', { user_id: 'bob', username: 'bob' });
    expect(await community.ids('popular', containing('violin'))).toEqual(['dear']);
    expect(await community.ids('popular', containing('flute'))).toEqual(['odd']);
    expect(await community.ids('popular', { scoring: 'reader/cheapest_v1.0.0' })).toEqual([
      'odd',
      'cheap',
      'dear',
    ]);
    expect(await community.ids('popular', named({}))).toContain('odd');
  });

  test('a field is gone with its item and its user', async () => {
    await community.addItem('gone', { author_id: 'eve', text: 'A harp' });
    await community.add('users', { user_id: 'eve', username: 'eve' });
    const { state } = community.server.service;
    const item = state.items.names.find('gone');
    const user = state.users.names.find('eve');
    expect([state.fields.text(item), state.fields.user(user, 'username')]).toEqual(['A harp', 'eve']);
    await community.remove('items', 'gone');
    expect(state.fields.text(item)).toBe('');
    await community.remove('users', 'eve');
    expect(state.fields.user(user, 'username')).toBeUndefined();
  });

  test('a plugin that reads an undeclared field fails: the log names both, the answer neither', async () => {
    const { status, body } = await community.ask('popular', { filters: { 'reader/forgetful': {} } });
    expect([status, body.code]).toEqual([500, 'plugin_failed']);
    expect(JSON.stringify(body)).not.toContain('secret');
    const logged = community.server.log.at(-1) ?? '';
    expect(logged).toContain('reader/forgetful');
    expect(logged).toContain("'item.metadata.secret' is not held in memory");
  });

  test('declared fields cost nothing if no plugin is loaded', async () => {
    await using plain = await openCommunity();
    await plain.addItem('item', { text: 'not held' });
    expect(() => plain.server.service.state.fields.text(0)).toThrow('not held in memory');
  });
});
