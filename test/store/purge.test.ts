import { describe, expect, test } from 'bun:test';
import type { Change } from '../../src/model/change.ts';
import {
  block,
  counted,
  deleted,
  erased,
  event,
  follow,
  followList,
  interaction,
  itemVersion,
  named,
  userVersion,
} from './changes.ts';
import {
  ENGINES,
  testServing as it,
  type Place,
  refusal,
  serve,
  stored,
  testPlace,
  withServing,
} from './engines.ts';

const GONE = 1;
const STAYS = 2;
const HERS = 10;
const HIS = 11;
const HANDED_OVER = 12;

/** A history with user GONE, mixed with other data. `keep` marks the changes that a purge keeps. */
function history(): { change: Change; keep: boolean }[] {
  const gone = (change: Change) => ({ change, keep: false });
  const keep = (change: Change) => ({ change, keep: true });
  return [
    gone(named('user', GONE, 'identifier-to-erase')),
    keep(named('user', STAYS, 'identifier-to-keep')),
    gone(named('item', HERS, 'item-to-erase')),
    keep(named('item', HIS, 'item-to-keep')),
    keep(named('user', HERS, 'a user whose key is that of an erased item')),
    keep(named('item', GONE, 'an item whose key is that of the erased user')),
    gone(itemVersion(HERS, GONE, 'first text-to-erase')),
    gone(itemVersion(HERS, GONE, 'second text-to-erase')),
    keep(itemVersion(HIS, STAYS, 'text-to-keep')),
    keep(itemVersion(HANDED_OVER, GONE, 'posted-by-one-to-erase')),
    keep(itemVersion(HANDED_OVER, STAYS, 'taken over by another')),
    gone(userVersion(GONE, 'profile-to-erase')),
    keep(userVersion(STAYS, 'profile-to-keep')),
    gone(counted(HERS)),
    keep(counted(HIS)),
    gone({ ...interaction(GONE, HIS), event_id: 'reply-to-erase' }),
    gone(interaction(STAYS, HERS)),
    keep(interaction(STAYS, HIS)),
    gone(follow(GONE, STAYS)),
    gone(follow(STAYS, GONE)),
    keep(follow(STAYS, 3)),
    gone(followList(GONE, [STAYS], [])),
    keep(followList(STAYS, [GONE, 3], [])),
    gone(event({ user: GONE, item: HIS, event_id: 'event-to-erase' })),
    gone(event({ user: GONE, event_id: 'removal-to-erase', action: 0 })),
    gone(event({ user: STAYS, item: HERS, event_id: 'event-of-item-to-erase' })),
    gone(event({ space: 'follow', user: STAYS, target: GONE, event_id: 'follow-to-erase' })),
    keep(event({ user: STAYS, item: HIS, event_id: 'event-to-keep' })),
    keep(event({ user: STAYS, event_id: 'removal-to-keep', action: 0 })),
    gone(block(GONE, STAYS)),
    gone(block(STAYS, GONE)),
    keep(block(STAYS, 3)),
    gone(deleted(HERS)),
    keep(erased(GONE)),
  ];
}

/** The changes that a purge keeps. Items that others have taken over lose the erased user's content. */
function left(changes: { change: Change; keep: boolean }[]): Change[] {
  return changes
    .filter(({ keep }) => keep)
    .map(({ change }) =>
      change.kind === 'item' && change.author === GONE ? { ...change, content: { created_at: 0 } } : change,
    );
}

/** Whether any file of the data folder contains `text`. Uses another process, because closing files drops locks. */
async function isOnDisk(place: Place, text: string): Promise<boolean> {
  const grep = Bun.spawn(['grep', '-rqaF', text, place.data], { stdout: 'ignore', stderr: 'ignore' });
  return (await grep.exited) === 0;
}

describe('purge', () => {
  it('removes the rows of an erased user and nothing else', async ({ store }) => {
    const changes = history();
    await store.submit(changes.map(({ change }) => change));
    await store.purge();
    expect(await stored(store)).toEqual(left(changes));
  });

  testPlace('does nothing a second time and does not change the numbering', async (place) => {
    const first = await serve(place);
    await first.store.submit(history().map(({ change }) => change));
    await first.store.purge();
    const once = await stored(first.store);
    await first.store.purge();
    expect(await stored(first.store)).toEqual(once);
    await first.store.close();
    const second = await serve(place);
    const [next] = [follow(5, 6)];
    await second.store.submit([next]);
    await second.store.close();
    expect(next.seq).toBe(history().length + 1);
  });

  it('removes former versions of deleted items and keeps their names and interactions', async ({ store }) => {
    const before = [
      named('item', HIS, 'deleted'),
      itemVersion(HIS, STAYS, 'before'),
      counted(HIS),
      interaction(STAYS, HIS),
      deleted(HIS),
    ];
    const after = [itemVersion(HIS, STAYS, 'after'), counted(HIS)];
    await store.submit([...before, ...after]);
    await store.purge();
    const marker = { ...before[4], author: STAYS };
    expect(await stored(store)).toEqual([before[0], before[3], marker, ...after]);
  });

  it('finds the items that were deleted and purged before their author was erased', async ({ store }) => {
    const kept = named('user', STAYS, 'kept');
    await store.submit([
      kept,
      named('user', GONE, 'author'),
      named('item', HERS, 'deleted first'),
      itemVersion(HERS, GONE, 'text'),
      interaction(STAYS, HERS),
      deleted(HERS),
    ]);
    await store.purge();
    const marker = erased(GONE);
    await store.submit([marker]);
    await store.purge();
    expect(await stored(store)).toEqual([kept, marker]);
  });

  it('keeps a deleted item whose former author is erased', async ({ store }) => {
    const names = [named('user', GONE, 'former'), named('user', STAYS, 'author'), named('item', HIS, 'item')];
    await store.submit([...names, itemVersion(HIS, GONE, 'by the former'), deleted(HIS)]);
    await store.purge();
    const last = deleted(HIS);
    await store.submit([itemVersion(HIS, STAYS, 'by the author'), last]);
    await store.purge();
    const marker = erased(GONE);
    await store.submit([marker]);
    await store.purge();
    const left = await stored(store);
    expect(left).toEqual([names[1], names[2], { ...last, author: STAYS } as Change, marker]);
  });

  it('runs between messages while changes keep arriving', async ({ store }) => {
    const changes = history();
    const submitted = store.submit(changes.map(({ change }) => change));
    await submitted;
    const later = [follow(7, 8), follow(8, 9)];
    await Promise.all([store.submit([later[0]]), store.purge(), store.submit([later[1]])]);
    expect(await stored(store)).toEqual([...left(changes), ...later]);
  });

  it('that fails halfway is completed by the next purge', async ({ store, place }) => {
    const changes = history();
    await store.submit(changes.map(({ change }) => change));
    await place.run('alter table engagement rename to hidden');
    expect(await refusal(store.purge())).toMatchObject({ code: 'store_unavailable' });
    await place.run('alter table hidden rename to engagement');
    await store.purge();
    expect(await stored(store)).toEqual(left(changes));
  });

  testPlace('works without a writer, before serving', async (place) => {
    const first = await serve(place);
    await first.store.submit(history().map(({ change }) => change));
    await first.store.close();
    const second = await serve(place);
    await second.store.purge();
    expect(await stored(second.store)).toHaveLength(history().filter(({ keep }) => keep).length);
    await second.store.close();
  });
});

describe('the files of the embedded database', () => {
  test('contain nothing about an erased user after the purge, while the store is open', () =>
    withServing(ENGINES[0], async ({ store }, place) => {
      const filler = Array.from({ length: 400 }, (_, index) =>
        itemVersion(100 + index, STAYS, 'x'.repeat(index)),
      );
      await store.submit(filler);
      await store.submit(history().map(({ change }) => change));
      await store.submit(filler);
      const erasedTexts = [
        'identifier-to-erase',
        'item-to-erase',
        'text-to-erase',
        'profile-to-erase',
        'reply-to-erase',
        'posted-by-one-to-erase',
      ];
      for (const text of erasedTexts) expect(await isOnDisk(place, text)).toBe(true);
      await store.purge();
      for (const text of erasedTexts) expect(await isOnDisk(place, text)).toBe(false);
      for (const text of ['identifier-to-keep', 'item-to-keep', 'text-to-keep', 'profile-to-keep']) {
        expect(await isOnDisk(place, text)).toBe(true);
      }
    }));
});

test('the planner statistics of a server contain nothing about an erased user after the purge', () =>
  withServing(ENGINES[1], async ({ store }, place) => {
    await store.submit(Array.from({ length: 50 }, (_, key) => named('user', key + 100, `filler-${key}`)));
    await store.submit(history().map(({ change }) => change));
    await place.run('analyze');
    const known = async () =>
      JSON.stringify(
        await place.run(
          `select histogram_bounds::text, most_common_vals::text from pg_stats where schemaname = 'public'`,
        ),
      );
    expect(await known()).toContain('identifier-to-erase');
    await store.purge();
    expect(await known()).not.toContain('to-erase');
    expect(await known()).toContain('identifier-to-keep');
  }));
