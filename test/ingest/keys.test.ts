import { expect, test } from 'bun:test';
import { withFolder } from '../interchange/support.ts';
import { openTestService, START } from '../support/service.ts';

test('keys of erased users and items are never reused, also after a purge and a restart', () =>
  withFolder({}, async (data) => {
    const first = await openTestService({ data });
    const { ingest, feeds, state } = first.service;
    const post = { created_at: START - 60, text: 'a text' };
    await ingest.ingest('users', [{ user_id: 'viewer' }]);
    await ingest.ingest('items', [{ ...post, item_id: 'gone', author_id: 'author' }]);
    await feeds.serve('popular', { user_id: 'viewer', impression_count: 1 });
    const given = [state.users.names.next_key, state.items.names.next_key];
    await ingest.deleteUser('author');
    await first.close();

    const second = await openTestService({ data });
    const { users, items } = second.service.state;
    expect([users.names.find('author'), items.names.find('gone')]).toEqual([-1, -1]);
    await second.service.ingest.ingest('items', [{ ...post, item_id: 'new', author_id: 'new author' }]);
    const keys = [users.names.key(users.names.find('new author')), items.names.key(items.names.find('new'))];
    expect(keys).toEqual(given);
    // The viewer was shown an item with the key that must not be reused.
    const page = await second.service.feeds.serve('popular', { user_id: 'viewer', impression_count: 0 });
    expect(page.items.map(({ item_id }) => item_id)).toEqual(['new']);
    await second.close();
  }));
