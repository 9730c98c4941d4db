import { afterEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { ManualClock } from '../../src/clock.ts';
import type { FeedType } from '../../src/plugin/index.ts';
import { type Community, FEED_TYPES, type Fields, openCommunity } from '../http/support.ts';
import { checkAsync } from '../support/long.ts';
import { Rounds } from '../support/rounds.ts';
import { START } from '../support/service.ts';
import { exportFrom, importInto, readFiles, withFolder } from './support.ts';

const opened: Community[] = [];
afterEach(async () => {
  for (const community of opened.splice(0)) await community.server.close();
});

async function open(now = START, options: Parameters<typeof openCommunity>[0] = {}): Promise<Community> {
  const community = await openCommunity({ clock: new ManualClock(now), ...options });
  opened.push(community);
  return community;
}

/** Imports the export of a community into another one at the same time. */
async function elsewhere(community: Community, folder: string): Promise<Community> {
  await exportFrom(community.server, folder);
  const other = await open(community.now);
  expect((await importInto(other.server, folder)).lines).toEqual([]);
  return other;
}

/** The pages and interactions of users, and the stored items. */
async function known(
  community: Community,
  users: string[],
  items: string[],
  feed_types: readonly FeedType[] = FEED_TYPES,
): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const user_id of users) {
    for (const feed_type of feed_types)
      answers.push(await community.page(feed_type, { user_id, seed: 1, return_metadata: true }));
    const { interactions = [] } = (await community.stored('users', user_id)) ?? {};
    answers.push(interactions);
  }
  for (const item_id of items) answers.push(await community.stored('items', item_id));
  return answers;
}

test('an import knows the acts on a deleted item since its deletion, and its viewers', async () => {
  const live = await open();
  for (const item_id of ['w', 'n', 'd'])
    await live.addItem(item_id, {
      author_id: `author of ${item_id}`,
      text: `text of ${item_id}`,
      language: 'en',
    });
  await live.add('users', { user_id: 'reader' });
  await live.page('popular', { user_id: 'reader', impression_count: 3 });
  await live.act('early', 'like', 'd');
  live.server.clock.advance(10);
  await live.remove('items', 'd');
  live.server.clock.advance(10);
  for (const user_id of ['u', 'v']) await live.act(user_id, 'like', 'd');
  await live.act('hider', 'hide', 'd');
  await live.act('v', 'bookmark', 'w');
  await withFolder({}, async (folder) => {
    const imported = await elsewhere(live, folder);
    const files = readFiles(folder);
    expect(files['items.jsonl']).toEndWith('{"item_id":"d","author_id":null,"created_at":null}\n');
    expect(Object.values(files).join('')).not.toMatch(/early|of d/);
    const { body } = await imported.server.post('/api/feed/config', { name: 'cold' });
    const cold_start = { feed_id: body.data.config_id, min_interactions: 1, inactive_days: 30 };
    const users = ['u', 'v', 'hider', 'reader', 'early'];
    expect(await known(imported, users, ['w', 'n', 'd'])).toEqual(await known(live, users, ['w', 'n', 'd']));
    const [first] = await imported.page('for-you', { user_id: 'u', cold_start });
    expect([first.item_id, first.source_feed]).toEqual(['w', 'main:for-you']);
    for (const user_id of users) expect(await imported.ids('popular', { user_id })).not.toContain('d');
    expect(await imported.stored('items', 'd')).toBeUndefined();
    for (const each of [live, imported]) {
      await each.addItem('d', { revive: true });
      expect((await each.stored('items', 'd'))?.likes_count).toBe(2);
      for (const user_id of ['u', 'hider', 'reader'])
        expect(await each.ids('popular', { user_id })).not.toContain('d');
      expect(await each.ids('popular', { user_id: 'early' })).toContain('d');
    }
  });
});

test('an export contains nothing about deleted items that were retired or whose author was erased', async () => {
  const rounds = new Rounds();
  const live = await open(START, {
    settings: { retention_days: 10 },
    opening: { retires_items: true, timers: rounds },
  });
  for (const item_id of ['erased item', 'retired item']) {
    await live.addItem(item_id, { author_id: `author of ${item_id}` });
    await live.page('popular', { user_id: 'reader', impression_count: 1 });
    await live.remove('items', item_id);
    await live.act('u', 'like', item_id);
  }
  await live.remove('users', 'author of erased item');
  live.server.clock.advance(20 * 86_400);
  await rounds.retire();
  await live.addItem('young item', { created_at: live.now });
  await live.act('u', 'like', 'young item');
  await withFolder({}, async (folder) => {
    await exportFrom(live.server, folder);
    expect(Object.values(readFiles(folder)).join('')).not.toMatch(/erased|retired/);
  });
});

test('an import into data with a deletion restores only newer versions', async () => {
  const live = await open();
  await live.addItem('deleted');
  await live.add('users', { user_id: 'person', username: 'name' });
  live.server.clock.advance(10);
  await live.remove('items', 'deleted');
  await live.remove('users', 'person');
  const before = live.seq;
  const files = {
    'items.jsonl': JSON.stringify({ item_id: 'deleted', author_id: 'author', created_at: START }),
    'users.jsonl': JSON.stringify({ user_id: 'person', username: 'name' }),
    'follows.csv': `user_id,target_user_id,timestamp\nperson,author,${START}\n`,
  };
  await withFolder(files, async (folder) => {
    const { lines } = await importInto(live.server, folder);
    expect(lines.sort()).toEqual([
      expect.stringContaining("follows.csv:2: an act is from before user 'person' was erased"),
      expect.stringContaining("items.jsonl:1: item 'deleted' was deleted"),
      expect.stringContaining("users.jsonl:1: user 'person' was erased"),
    ]);
  });
  expect(live.seq).toBe(before);
  // Acts after the deletion are accepted, but do not restore the deleted item.
  live.server.clock.advance(10);
  const act = `user_id,item_id,event_type,timestamp\nfan,deleted,like,${START + 15}\n`;
  await withFolder({ 'interactions.csv': act }, (folder) => importInto(live.server, folder));
  expect(await live.stored('items', 'deleted')).toBeUndefined();
  expect(await live.stored('users', 'fan')).toMatchObject({ counts: { interactions: 1 } });
});

const USERS = ['ann', 'bob', 'cat', 'dan'];
const ITEMS = ['a', 'b', 'c', 'd', 'e'];
const user = fc.constantFrom(...USERS);
const item = fc.constantFrom(...ITEMS);
const act = fc.record({
  user_id: user,
  item_id: item,
  event_type: fc.constantFrom('like', 'like', 'hide', 'view', 'comment', 'share'),
  action: fc.constantFrom('add', 'add', 'add', 'remove'),
});
const STEP = fc.oneof(
  { weight: 3, arbitrary: fc.record({ step: fc.constant('post' as const), item_id: item, author_id: user }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constant('delete' as const), item_id: item }) },
  { weight: 8, arbitrary: fc.record({ step: fc.constant('act' as const), act }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('read' as const), user_id: user }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('erase' as const), user_id: user }) },
);
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

async function take(community: Community, given: Step): Promise<void> {
  const { server } = community;
  server.clock.advance(7);
  if (given.step === 'post')
    await community.add('items', { ...post(given.item_id), author_id: given.author_id });
  else if (given.step === 'act') {
    const event_id = given.act.event_type === 'comment' ? { event_id: 'c' } : {};
    await community.add('interactions', { ...given.act, ...event_id });
  } else if (given.step === 'read') {
    const { user_id } = given;
    // Files have nothing of viewers without a user record.
    await community.add('users', { user_id, username: user_id, revive: true });
    await community.page('popular', { user_id, top_k: 2, impression_count: 2 });
  } else {
    const [kind, id] =
      given.step === 'delete' ? (['items', given.item_id] as const) : (['users', given.user_id] as const);
    const { deleteItem, deleteUser } = server.service.ingest;
    const gone = kind === 'items' ? deleteItem : deleteUser;
    // Deleting a missing item is an error.
    await gone.call(server.service.ingest, id).catch(({ code }) => expect(code).toBe('not_found'));
  }
}

const post = (item_id: string): Fields => ({
  ...{ item_id, author_id: 'ann', created_at: START - ITEMS.indexOf(item_id), revive: true },
});

test('after any deletions in any order, an imported export gives the same records and popular pages, also when items are posted again', async () => {
  await checkAsync(3, [fc.array(STEP, { minLength: 10, maxLength: 40, size: 'max' })], (steps) =>
    withFolder({}, async (folder) => {
      const live = await open();
      await live.addItem('kept', { author_id: 'eve' });
      for (const item_id of ITEMS) await live.add('items', post(item_id));
      for (const step of steps) await take(live, step);
      const imported = await elsewhere(live, join(folder, 'first'));
      const recordsOf = (each: Community) => known(each, USERS, ITEMS, ['popular']);
      expect(await recordsOf(imported)).toEqual(await recordsOf(live));
      await exportFrom(imported.server, join(folder, 'second'));
      expect(readFiles(join(folder, 'second'))).toEqual(readFiles(join(folder, 'first')));
      for (const each of [live, imported]) {
        const { seq } = each;
        await importInto(each.server, join(folder, 'first'));
        expect(each.seq).toBe(seq);
        each.server.clock.advance(7);
        for (const item_id of ITEMS) await each.add('items', post(item_id));
      }
      expect(await recordsOf(imported)).toEqual(await recordsOf(live));
      for (const each of opened.splice(0)) await each.server.close();
    }),
  );
});
