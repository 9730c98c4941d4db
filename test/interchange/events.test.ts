import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { deliverTo, randomHistory } from '../support/deliveries.ts';
import { checkAsync } from '../support/long.ts';
import { START } from '../support/service.ts';
import { exported, importInto, jsonl, withFolder, withImported, withService } from './support.ts';

const AUTHOR_ITEM = { item_id: 'item', author_id: 'author', created_at: START - 1000 };
const ITEMS = jsonl([AUTHOR_ITEM]);

function like(event_id: string, at: number, fields: object = {}): object {
  return { user_id: 'u', item_id: 'item', event_type: 'like', event_id, timestamp: START - at, ...fields };
}

describe('an export', () => {
  test('names the event of each current act, and leaves out acts that were taken back', () =>
    withService(async (opened) => {
      const { ingest } = opened.service;
      await ingest.ingest('items', [AUTHOR_ITEM]);
      await ingest.ingest('interactions', [
        like('earlier', 90),
        like('taken back', 80),
        like('stands', 70),
        like('bookmarked', 60, { event_type: 'bookmark' }),
        like('unnamed', 50, { event_type: 'share', event_id: undefined }),
        { user_id: 'u', event_id: 'taken back', action: 'remove' },
        { user_id: 'u', event_id: 'bookmarked', action: 'remove' },
        { user_id: 'u', event_id: 'never came', action: 'remove' },
      ]);
      const files = await exported(opened);
      expect(files['interactions.csv'].trim().split('\n')).toEqual([
        'user_id,item_id,event_type,timestamp,event_id',
        `u,item,like,${START - 70},stands`,
        `u,item,share,${START - 50},`,
      ]);
      await withImported(files, async (elsewhere, { lines }) => {
        expect(lines).toEqual([]);
        expect(await exported(elsewhere)).toEqual(files);
        const removal = { user_id: 'u', event_id: 'stands', action: 'remove' };
        await elsewhere.service.ingest.ingest('interactions', [removal]);
        expect((await exported(elsewhere))['interactions.csv']).not.toContain('stands');
      });
    }));

  test('does not name an event that was taken back, though the same act was done again at its time', () =>
    withService(async (opened) => {
      const { ingest } = opened.service;
      await ingest.ingest('items', [AUTHOR_ITEM]);
      await ingest.ingest('interactions', [
        like('taken back', 80),
        { user_id: 'u', event_id: 'taken back', action: 'remove' },
        like('', 80, { event_id: undefined }),
      ]);
      expect((await exported(opened))['interactions.csv']).toEndWith(
        `timestamp\nu,item,like,${START - 80}\n`,
      );
    }));

  test.each([
    ['follows', 'target_user_id', 'unfollow'],
    ['blocks', 'target_user_id', 'unblock'],
  ] as const)('names the events of current %s, and leaves out ended ones', (kind, _, ending) =>
    withService(async (opened) => {
      const { ingest } = opened.service;
      const tie = (target_user_id: string, event_id: string | undefined, at: number) => ({
        ...{ user_id: 'u', target_user_id, event_id },
        timestamp: START - at,
      });
      await ingest.ingest(kind, [
        tie('a', 'stands', 90),
        tie('b', undefined, 80),
        tie('c', 'taken back', 70),
        tie('d', 'ended otherwise', 60),
        { user_id: 'u', event_id: 'taken back', action: ending },
        { ...tie('d', undefined, 50), action: ending },
      ]);
      const files = await exported(opened);
      expect(files[`${kind}.csv`].trim().split('\n')).toEqual([
        'user_id,target_user_id,timestamp,event_id',
        `u,a,${START - 90},stands`,
        `u,b,${START - 80},`,
      ]);
      await withImported(files, async (elsewhere, { lines }) => {
        expect(lines).toEqual([]);
        expect(await exported(elsewhere)).toEqual(files);
      });
    }),
  );

  test('contains follows of a whole list, with the time of the list', () =>
    withService(async (opened) => {
      const { ingest } = opened.service;
      await ingest.ingest('follows', [
        { user_id: 'u', target_user_id: 'a', timestamp: START - 90, event_id: 'before' },
        { user_id: 'u', target_user_id: 'b', timestamp: START - 80 },
      ]);
      await ingest.followList({ user_id: 'u', target_user_ids: ['a', 'c'], timestamp: START - 70 });
      expect((await exported(opened))['follows.csv'].trim().split('\n')).toEqual([
        'user_id,target_user_id,timestamp,event_id',
        `u,a,${START - 90},before`,
        `u,c,${START - 70},`,
      ]);
    }));

  test('without named events has no further columns', () =>
    withService(async (opened) => {
      const { ingest } = opened.service;
      await ingest.ingest('follows', [{ user_id: 'u', target_user_id: 'a', timestamp: START - 5 }]);
      expect((await exported(opened))['follows.csv']).toStartWith('user_id,target_user_id,timestamp\n');
    }));

  test('contains no events of erased users or about them', () =>
    withService(async (opened) => {
      const { ingest } = opened.service;
      await ingest.ingest('items', [AUTHOR_ITEM, { ...AUTHOR_ITEM, item_id: 'other', author_id: 'other' }]);
      await ingest.ingest('interactions', [
        like('secret-1', 9),
        { ...like('secret-2', 8, { item_id: 'other' }), user_id: 'gone' },
        like('kept', 7, { item_id: 'other' }),
      ]);
      await ingest.ingest('follows', [
        { user_id: 'u', target_user_id: 'gone', event_id: 'secret-3' },
        { user_id: 'gone', target_user_id: 'u', event_id: 'secret-4' },
        { user_id: 'gone', event_id: 'secret-5', action: 'unfollow' },
      ]);
      for (const user of ['gone', 'author']) await ingest.deleteUser(user);
      const files = JSON.stringify(await exported(opened));
      expect([files.includes('kept'), files.includes('secret')]).toEqual([true, false]);
    }));
});

describe('an import', () => {
  test('reads events and their removals from files in any order', () =>
    withImported(
      {
        'items.jsonl': ITEMS,
        'interactions.csv': [
          'user_id,item_id,event_type,timestamp,action,event_id',
          `u,item,like,${START - 90},add,l1`,
          `u,,,${START - 80},remove,l1`,
          `u,,,${START - 70},remove,l2`,
          `u,item,like,${START - 60},add,l2`,
          `u,item,share,${START - 50},add,s1`,
        ].join('\n'),
        'follows.csv': [
          'user_id,target_user_id,timestamp,action,event_id',
          `u,author,${START - 90},follow,f1`,
          `u,,${START - 80},unfollow,f1`,
          `u,other,${START - 70},follow,f2`,
        ].join('\n'),
      },
      async ({ service: { state, ingest } }, { lines }) => {
        expect(lines).toEqual([]);
        const [user, item] = [state.users.names.find('u'), state.items.names.find('item')];
        expect([state.items.likes_count(item), state.items.shares_count(item)]).toEqual([0, 1]);
        expect(state.follows.following(user).map((other) => state.users.names.id(other))).toEqual(['other']);
        await ingest.ingest('interactions', [{ user_id: 'u', event_id: 's1', action: 'remove' }]);
        await ingest.ingest('interactions', [like('l2', 1)]);
        expect([state.items.likes_count(item), state.items.shares_count(item)]).toEqual([0, 0]);
      },
    ));

  test('of the same files again changes nothing', () =>
    withFolder(
      {
        'items.jsonl': ITEMS,
        'interactions.csv': `user_id,item_id,event_type,timestamp,action,event_id\nu,item,like,${START - 90},add,l1\nu,,,${START - 80},remove,l1\nu,,,${START - 70},remove,l2\n`,
      },
      (folder) =>
        withService(async (opened) => {
          await importInto(opened, folder);
          const { seq } = opened.service.state;
          expect((await importInto(opened, folder)).changes).toBe(0);
          expect(opened.service.state.seq).toBe(seq);
        }),
    ));

  test('refuses a removal that names neither an event nor its subject', () =>
    withImported(
      {
        'items.jsonl': ITEMS,
        'interactions.csv': `user_id,item_id,event_type,timestamp,action,event_id\nu,,,${START - 80},remove,\n`,
      },
      async (_, { files }) => {
        const { rejected, first_bad } = files.find(({ kind }) => kind === 'interactions')!;
        expect([rejected, JSON.stringify(first_bad)]).toEqual([
          1,
          expect.stringContaining('item_id: is required'),
        ]);
      },
    ));
});

test('an export of random acts is exported identically after an import, and importing it again changes nothing', async () => {
  await checkAsync(1, [fc.nat()], (seed) =>
    withService(async (original) => {
      await deliverTo(original.service, randomHistory(seed, 300));
      const first = await exported(original);
      await withImported(first, async (elsewhere, { lines }, folder) => {
        expect(lines).toEqual([]);
        expect(await exported(elsewhere)).toEqual(first);
        for (const each of [elsewhere, original]) expect((await importInto(each, folder)).changes).toBe(0);
      });
    }),
  );
});
