import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock } from '../../../src/clock.ts';
import { exportFrom, importInto, readFiles, withFolder } from '../../interchange/support.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { START } from '../../support/service.ts';
import { type Community, FEED_TYPES, ingestPath, testCommunity as it, openCommunity } from '../support.ts';

/** `erased-person` wrote two items, one of which they liked, and others acted on them. */
async function fill(community: Community): Promise<void> {
  await community.add('users', {
    user_id: 'erased-person',
    username: 'erased-name',
    wallet_addresses: ['0x5ec4e7'],
  });
  for (const item_id of ['kept-1', 'kept-2'])
    await community.addItem(item_id, {
      author_id: 'erased-person',
      text: `text of ${item_id}`,
      channel: 'c',
    });
  await community.addItem('other');
  await community.act('erased-person', 'like', 'kept-1');
  await community.act('fan', 'like', 'kept-1');
  await community.follow('fan', 'erased-person');
}

function erase(community: Community, query = '?keep_items=true') {
  return community.server.remove(`${ingestPath('users')}/erased-person${query}`);
}

const REQUEST = { user_id: 'reader', return_metadata: true };

async function expectKept(community: Community): Promise<void> {
  for (const feed_type of FEED_TYPES) {
    const page = await community.page(feed_type, REQUEST);
    expect(page.map(({ item_id }) => item_id).sort()).toEqual(['kept-1', 'kept-2', 'other']);
    expect(JSON.stringify(page)).not.toContain('erased-');
    const filters = { author_ids: ['erased-person'] };
    expect(await community.ids(feed_type, { ...REQUEST, filters })).toEqual([]);
  }
  const { metadata } = await community.shown('kept-1', REQUEST);
  expect(metadata).toMatchObject({
    text: 'text of kept-1',
    likes_count: 1,
    author: { user_id: null, username: null, display_name: null, pfp_url: null },
  });
  expect(await community.stored('items', 'kept-1')).toMatchObject({ author_id: null, likes_count: 1 });
  expect(await community.ids('popular', { ...REQUEST, filters: { channels: ['c'] } })).toHaveLength(2);
  expect(await community.stored('users', 'erased-person')).toBeUndefined();
}

it('with keep_items, items of an erased user stay in feeds without an author', async (community) => {
  await fill(community);
  const { status, body } = await erase(community);
  expect([status, body]).toEqual([200, { status: 'success', message: "user 'erased-person' erased" }]);
  await expectKept(community);
  // What is sent again from before, with the author, changes nothing; without one it is another version.
  const items = ingestPath('items');
  const again = { item_id: 'kept-1', author_id: 'erased-person', created_at: START - 1, text: 'old' };
  expect((await community.server.post(items, again)).body.warnings[0]).toContain(
    'older than the erasure of its author',
  );
  await community.add('items', { item_id: 'kept-1', text: 'new' });
  expect(await community.stored('items', 'kept-1')).toMatchObject({ author_id: null, text: 'new' });
});

test('kept items survive a restart and a purge, and nothing of the user stays on disk', async () => {
  const data = temporaryFolder('test');
  const clock = new ManualClock(START);
  {
    await using community = await openCommunity({ data, clock });
    await fill(community);
    await erase(community);
  }
  {
    await using community = await openCommunity({ data, clock });
    await expectKept(community);
    await community.server.service.store.purge();
    await expectKept(community);
  }
  await using community = await openCommunity({ data, clock });
  await expectKept(community);
  const files = readdirSync(data).map((name) => readFileSync(join(data, name)));
  expect(files.some((bytes) => bytes.includes('kept-1'))).toBe(true);
  for (const text of ['erased-person', 'erased-name', '0x5ec4e7'])
    expect(files.some((bytes) => bytes.includes(text))).toBe(false);
});

it('kept items are exported and imported', async (community) => {
  await fill(community);
  await erase(community);
  await withFolder({}, async (folder) => {
    await exportFrom(community.server, folder);
    expect(Object.values(readFiles(folder)).join('')).not.toContain('erased-');
    await using other = await openCommunity();
    expect((await importInto(other.server, folder)).lines).toEqual([]);
    await expectKept(other);
  });
});

it('items that arrive during the erasure of their author are kept too', async (community) => {
  await fill(community);
  const { ingest } = community.server.service;
  const item = { author_id: 'erased-person', created_at: START - 5 };
  const sent = ingest.ingest('items', [
    { item_id: 'late', ...item },
    { item_id: 'given-away', ...item },
    { item_id: 'given-away', author_id: 'heir' },
  ]);
  const erased = ingest.deleteUser('erased-person', { keep_items: true });
  await Promise.all([sent, erased]);
  expect(await community.stored('items', 'late')).toMatchObject({ author_id: null });
  expect(await community.stored('items', 'given-away')).toMatchObject({ author_id: 'heir' });
  expect(await community.stored('users', 'erased-person')).toBeUndefined();
});

it('keep_items is refused for a hidden user, whose items would become visible', async (community) => {
  await fill(community);
  await community.add('users', { user_id: 'erased-person', hidden: true });
  const { status, body } = await erase(community);
  expect([status, body.errors[0].path]).toEqual([400, '/keep_items']);
  expect(body.detail).toContain("user 'erased-person' is hidden");
  expect((await erase(community, '?keep_items=false')).status).toBe(200);
  expect(await community.ids('popular', REQUEST)).toEqual(['other']);
});
