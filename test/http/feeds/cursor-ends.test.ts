import { describe, expect, test } from 'bun:test';
import { forFile, START } from '../../support/service.ts';
import { type Fields, KEY, openCommunity } from '../support.ts';

/** More than a series of pages shows. */
const ITEMS = 1_100;
const community = await forFile(openCommunity());
const items = Array.from({ length: ITEMS }, (_, at) => ({
  item_id: `item-${at}`,
  author_id: `author-${at % 50}`,
  created_at: START - at,
  likes_count: (at * 7919) % ITEMS,
}));
await community.add('items', ...items);

async function answer(feed_type: 'for-you' | 'popular' | 'trending', request: Fields): Promise<Fields> {
  const { status, body } = await community.ask(feed_type, { user_id: 'viewer', ...request });
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  return { ids: body.body.map(({ item_id }: Fields) => item_id), cursor: body.cursor };
}

describe('a series of pages', () => {
  test.each(['for-you', 'popular', 'trending'] as const)(
    'through a %s feed ends after 1,000 items, and its cursors stay short',
    async (feed_type) => {
      const shown: string[] = [];
      let cursor: unknown;
      do {
        const page = await answer(feed_type, { top_k: 100, cursor });
        shown.push(...(page.ids as string[]));
        cursor = page.cursor;
        expect(String(cursor ?? '').length).toBeLessThan(6_000);
      } while (cursor !== undefined);
      expect(new Set(shown).size).toBe(1_000);
      expect(shown).toHaveLength(1_000);
    },
  );

  test('of one page of 1,000 items has no cursor', async () => {
    expect((await answer('popular', { top_k: 1_000 })).cursor).toBeUndefined();
    expect((await answer('popular', { top_k: 999 })).cursor).toBeString();
  });

  test('shows the last page whole, although it has shown 1,000 items then', async () => {
    const { cursor } = await answer('popular', { top_k: 990 });
    const last = await answer('popular', { top_k: 25, cursor });
    expect(last.ids).toHaveLength(25);
    expect(last.cursor).toBeUndefined();
  });
});

describe('plain pages', () => {
  test('with cursors show what plain pages with numbers show', async () => {
    let cursor: unknown;
    for (let page_number = 1; page_number <= 4; page_number++) {
      const numbered = await answer('popular', { page_size: 30, page_number });
      const next = await answer('popular', { page_size: 30, cursor });
      expect(next.ids).toEqual(numbered.ids);
      // The cursor of a numbered page goes on after all pages before it, too.
      const after = await answer('popular', { page_size: 30, cursor: numbered.cursor });
      expect(after.ids).toEqual(
        (await answer('popular', { page_size: 30, page_number: page_number + 1 })).ids,
      );
      cursor = next.cursor;
    }
  });

  test('with a promotion go on after the promoted items of all pages before', async () => {
    const promoted_items = Array.from({ length: 9 }, (_, at) => ({ item_id: `item-${at + 500}` }));
    const promotion_filters = [{ promotion_type: 'items', promotion_name: 'p', promoted_items }];
    const shown: unknown[] = [];
    let last: Fields = {};
    for (let page_number = 1; page_number <= 3; page_number++) {
      last = await answer('trending', { page_size: 20, page_number, promotion_filters });
      shown.push(...(last.ids as string[]));
    }
    const next = await answer('trending', { page_size: 20, promotion_filters, cursor: last.cursor });
    expect(next.ids).toHaveLength(20);
    expect((next.ids as string[]).filter((id) => shown.includes(id))).toEqual([]);
  });

  test('beyond 1,000 items have no cursor', async () => {
    const on = async (page_number: number) =>
      (await answer('popular', { page_size: 100, page_number })).cursor;
    expect(await on(9)).toBeString();
    expect(await on(10)).toBeUndefined();
  });
});

describe('a cursor', () => {
  test('cannot be saved in a feed', async () => {
    const { cursor } = await answer('popular', { top_k: 5 });
    const feed = { name: 'a', endpoint: 'feeds/popular', config: { cursor } };
    const { status, body } = await community.server.post('/api/feed/config', feed);
    expect({ status, errors: body.errors }).toEqual({
      status: 400,
      errors: [{ path: '/config/cursor', message: 'belongs to one request and cannot be saved in a feed' }],
    });
  });

  test('is not given by previews, which name one as an unknown field', async () => {
    const preview = { endpoint: 'feeds/popular', config: {}, user_id: 'viewer', top_k: 5, cursor: 'x' };
    const { status, body } = await community.server.post('/api/feed/preview', preview);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['status_code', 'body', 'warnings']);
    expect(body.warnings).toEqual(["unknown field 'cursor' was ignored"]);
  });

  test('of another database is refused, even if both have the same items', async () => {
    await using other = await openCommunity();
    await other.addItem('item-0');
    await other.addItem('item-1');
    const { body } = await other.ask('popular', { user_id: 'viewer', top_k: 1 });
    const refused = await community.ask('popular', { user_id: 'viewer', cursor: body.cursor });
    expect([refused.status, refused.body.code]).toEqual([400, 'cursor_invalid']);
    expect(refused.body.detail).toBe(
      'cursor: it is damaged, or it belongs to another viewer, user, feed type or feed_id than those of this request; send the cursor of the last answer unchanged, or start again without a cursor',
    );
  });

  test('does not contain the viewer', async () => {
    const user_id = 'a-name-that-must-not-leak';
    const { cursor } = await answer('popular', { top_k: 5, user_id });
    expect(Buffer.from(String(cursor), 'base64url').toString('latin1')).not.toContain('name');
  });

  test('continues with a viewer token instead of a key', async () => {
    const { cursor } = await answer('popular', { top_k: 5, user_id: 'holder' });
    const { body } = await community.server.call(
      'POST',
      '/api/tokens',
      { user_id: 'holder', ttl_seconds: 60 },
      KEY,
    );
    const by_token = { authorization: `Bearer ${body.token}` };
    const path = '/v2/farcaster/feeds/popular';
    const next = await community.server.call('POST', path, { top_k: 5, cursor }, by_token);
    expect(next.status).toBe(200);
    expect(next.body.body.map(({ item_id }: Fields) => item_id)).toEqual(
      (await answer('popular', { top_k: 5, cursor, user_id: 'holder' })).ids as string[],
    );
  });

  test('of an item that was deleted and posted again is valid', async () => {
    const { ids, cursor } = await answer('popular', { top_k: 5, user_id: 'deleter' });
    const [item_id] = ids as string[];
    await community.remove('items', item_id);
    const gone = await answer('popular', { top_k: 5, user_id: 'deleter', cursor });
    await community.add('items', { item_id, author_id: 'author-0', created_at: START, revive: true });
    const back = await answer('popular', { top_k: 5, user_id: 'deleter', cursor: gone.cursor });
    expect([gone.ids, back.ids].map((page) => (page as string[]).length)).toEqual([5, 5]);
  });
});
