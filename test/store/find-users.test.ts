import { describe, expect } from 'bun:test';
import type { Change } from '../../src/model/change.ts';
import { searchText } from '../../src/model/changes/user.ts';
import { testServing as it, serve, testPlace } from './engines.ts';
import { undoMigrations } from './former-version.ts';

function profile(user: number, username: string, display_name?: string): Change {
  return { kind: 'user', seq: 0, applied_at: 1, user, content: { username, display_name } };
}

describe('finding users', () => {
  it('users are found by the start of their names without case, usernames first', async ({ store }) => {
    await store.submit([
      profile(1, 'zoe', 'Ängström'),
      profile(2, 'ÄNGEL'),
      profile(3, 'an\0na\ud83d', 'x'),
      profile(4, 'Ann', 'y'),
      profile(5, 'a'.repeat(5_000)),
    ]);
    const found = async (prefix: string) => (await store.findUsers(prefix)).map(({ user }) => user);
    expect(await found('äng')).toEqual([2, 1]);
    expect(await found('AN')).toEqual([3, 4]);
    expect(await found('an\0N')).toEqual([3]);
    expect(await found('aaa')).toEqual([5]);
    expect(await found('%')).toEqual([]);
    expect(await found('')).toEqual([]);
  });

  testPlace('a migration makes the profiles of a former version searchable', async (place) => {
    const before = await serve(place);
    const users = Array.from({ length: 1_500 }, (_, at) => profile(at + 1, `Name${at}`, `Shown${at}`));
    await before.store.submit(users);
    await before.store.close();
    await undoMigrations(place, '0015');
    const { store } = await serve(place);
    expect(await store.findUsers('name1499')).toMatchObject([{ user: 1_500 }]);
    expect(await store.findUsers('shown0')).toMatchObject([{ user: 1 }]);
    await store.close();
  });

  testPlace('a migration finds names that a former version stored in lower case alone', async (place) => {
    const before = await serve(place);
    const names = ['jose\u0301', 'ＡＮＮ', 'Großmann', 'zoe', ''];
    await before.store.submit(
      names.map((name, at) => (at % 2 ? profile(at + 1, name) : profile(at + 1, '', name))),
    );
    await before.store.close();
    const former = names.map((name) => `when '${searchText(name)}' then '${name.toLowerCase()}'`).join(' ');
    for (const column of ['username', 'display_name'])
      await place.run(`update users set ${column} = case ${column} ${former} end`);
    await undoMigrations(place, '0035');
    const { store } = await serve(place);
    for (const [at, prefix] of ['JOS\u00e9', 'ann', 'gross', 'zo'].entries())
      expect((await store.findUsers(prefix)).map(({ user }) => user)).toEqual([at + 1]);
    await store.close();
  });
});
