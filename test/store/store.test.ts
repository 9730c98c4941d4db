import { describe, expect } from 'bun:test';
import { mkdirSync } from 'node:fs';
import fc from 'fast-check';
import { monotonicMs } from '../../src/clock.ts';
import type { Change } from '../../src/model/change.ts';
import { READ_AHEAD } from '../../src/state/read-ahead.ts';
import { openStore } from '../../src/store/open-store.ts';
import { checkAsync } from '../support/long.ts';
import { anyChange, everyKind } from './any-change.ts';
import { follow, interaction, itemVersion, userVersion } from './changes.ts';
import { testServing as it, optionsFor, refusal, serve, stored, testNewPlace, testPlace } from './engines.ts';

describe('store', () => {
  it('returns every kind of change as it was submitted', async ({ store }) => {
    const changes = everyKind();
    await store.submit(changes);
    expect(await stored(store)).toEqual(changes);
    expect(changes.map(({ seq }) => seq)).toEqual(everyKind().map((_, index) => index + 1));
  });

  it('returns arbitrary changes, merged over all tables in order of seq', async ({ store }) => {
    const anyLists = fc.array(fc.array(anyChange, { maxLength: 30, size: 'max' }), { maxLength: 4 });
    let highest = 0;
    await checkAsync(6, [anyLists], async (lists) => {
      const before = highest;
      highest += lists.flat().length;
      await Promise.all(lists.map((changes) => store.submit(changes)));
      expect(await stored(store, before)).toEqual(lists.flat());
    });
    const seqs = (await stored(store)).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: highest }, (_, index) => index + 1));
  });

  testPlace('continues the numbering after it was closed and opened again', async (place) => {
    const first = await serve(place);
    await first.store.submit([follow(1, 2), follow(2, 3)]);
    await first.store.close();
    const second = await serve(place);
    await second.store.submit([interaction(1, 1)]);
    const changes = await stored(second.store);
    await second.store.close();
    expect(changes.map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, 'follow'],
      [2, 'follow'],
      [3, 'interaction'],
    ]);
  });

  it('replays from a seq and reports the highest one', async ({ store }) => {
    await store.submit([follow(1, 2, 10), follow(1, 3, 20), follow(1, 4, 30)]);
    const seen: number[] = [];
    let slices = 0;
    const slice = async () => {
      slices += 1;
    };
    const result = await store.replay((change) => seen.push(change.seq), { after: 1, slice });
    expect(seen).toEqual([2, 3]);
    expect(result).toMatchObject({ highest_seq: 3, highest_applied_at: 30, changes: 2 });
    expect(slices).toBeGreaterThan(0);
    const none = await store.replay(() => {}, { after: 3 });
    expect(none).toMatchObject({ highest_seq: 3, highest_applied_at: 0, changes: 0 });
  });

  it('announces each change once before it visits it', async ({ store }) => {
    await store.submit(Array.from({ length: 150 }, (_, index) => follow(1, index, 10)));
    await store.submit([itemVersion(1, 0, 'y'), follow(2, 1, 10)]);
    const announced: number[] = [];
    let visited = 0;
    const ahead = (changes: readonly Change[]): void => {
      expect(visited).toBe(announced.length);
      expect(changes.length).toBeLessThanOrEqual(READ_AHEAD);
      announced.push(...changes.map(({ seq }) => seq));
    };
    const visit = ({ seq }: Change): void => {
      visited++;
      expect(announced[visited - 1]).toBe(seq);
    };
    await store.replay(visit, { ahead });
    expect([visited, announced.length]).toEqual([152, 152]);
  });

  it('merges tables of more rows than one chunk', async ({ store }) => {
    const changes: Change[] = [];
    for (let index = 0; index < 2_500; index++) {
      changes.push(userVersion(index, 'x'), follow(index, index), itemVersion(index, 0, 'y'));
    }
    await store.submit(changes);
    expect((await stored(store)).map(({ seq }) => seq)).toEqual(changes.map(({ seq }) => seq));
  });

  it('reads versions of items and users by seq and leaves out missing ones', async ({ store }) => {
    const changes = [itemVersion(7, 1, 'old'), userVersion(1, 'Ann'), itemVersion(7, 1, 'new')];
    await store.submit(changes);
    const items = await store.readItems([3, 1, 2, 99]);
    expect([...items].map(([seq, { text }]) => [seq, text]).sort()).toEqual([
      [1, 'old'],
      [3, 'new'],
    ]);
    expect(await store.readUsers([2, 3])).toEqual(new Map([[2, { display_name: 'Ann' }]]));
    expect(await store.readItems([])).toEqual(new Map());
  });

  it('reads more versions by seq than fit one statement', async ({ store }) => {
    const changes = Array.from({ length: 2_300 }, (_, index) => itemVersion(index, 0, `${index}`));
    await store.submit(changes);
    const items = await store.readItems(changes.map(({ seq }) => seq));
    expect(items.size).toBe(2_300);
    expect(items.get(2_300)?.text).toBe('2299');
  });

  it('is read by a second handle beside it, which cannot write changes', async ({ store, place }) => {
    await store.submit([follow(1, 2)]);
    const beside = await openStore(optionsFor(place, { role: 'beside', command: 'export' }));
    expect(await stored(beside)).toEqual(await stored(store));
    const hooks = { onCommitted() {}, onFailed() {}, last_applied_at: 0 };
    expect((await refusal(beside.startWriter(hooks))).message).toContain('cannot write');
    await beside.close();
  });

  testPlace('throws if a number is missing that all data has', async (place) => {
    const missing = (name: string) => place.run(`delete from meta where name = '${name}'`);
    const store = await openStore(optionsFor(place));
    await missing('keys_revision');
    expect(await refusal(store.keys.revision())).toMatchObject({ code: 'store_unavailable' });
    await missing('highest_seq');
    expect(await refusal(store.replay(() => {}))).toMatchObject({
      code: 'data_unreadable',
      message: expect.stringContaining('the table meta lacks highest_seq'),
    });
    await store.close();
  });

  testPlace('refuses data of a newer version, also beside the service', async (place) => {
    await (await openStore(optionsFor(place))).close();
    await place.run("insert into kysely_migration values ('9999_from_the_future', 'now')");
    for (const role of ['serve', 'beside'] as const)
      expect(await refusal(openStore(optionsFor(place, { role })))).toMatchObject({ code: 'data_newer' });
    expect(await place.run("select value from meta where name = 'keys_revision'")).toEqual([['0']]);
  });

  testNewPlace('refuses tables of other software, and does not change them', async (place) => {
    mkdirSync(place.data, { recursive: true });
    await place.run('create table meta (name text)');
    for (const role of ['serve', 'beside'] as const) {
      const refused = refusal(openStore(optionsFor(place, { role })));
      expect(await refused).toMatchObject({ code: 'data_foreign' });
    }
    expect(await place.run('select * from meta')).toEqual([]);
  });

  testPlace(
    'data of an older version is not read before a start of this version has migrated it',
    async (place) => {
      await (await openStore(optionsFor(place))).close();
      await place.run('delete from kysely_migration where name = (select max(name) from kysely_migration)');
      const beside = optionsFor(place, { role: 'beside', command: 'export' });
      expect(await refusal(openStore(beside))).toMatchObject({ code: 'data_outdated' });
    },
  );

  testNewPlace('creates all of its tables or none, so that the next start can create them', async (place) => {
    mkdirSync(place.data, { recursive: true });
    await place.run('create table api_keys (in_the_way integer)');
    expect(await refusal(openStore(optionsFor(place)))).toMatchObject({ code: 'migration_failed' });
    await place.run('drop table api_keys');
    const store = await openStore(optionsFor(place));
    expect(await stored(store)).toEqual([]);
    await store.close();
  });

  it('replays all changes of a bulk write (prints measurements)', async ({ store, engine }) => {
    const count = engine.name === 'sqlite' ? 200_000 : 20_000;
    const changes = Array.from({ length: count }, (_, index) => interaction(index % 999, index));
    const submitted = monotonicMs();
    const done: Promise<void>[] = [];
    for (let start = 0; start < count; start += 500) {
      if (store.queued_records > 90_000) await done.at(-1);
      done.push(store.submit(changes.slice(start, start + 500)));
    }
    await Promise.all(done);
    const written = monotonicMs();
    const { changes: replayed } = await store.replay(() => {});
    const read = monotonicMs();
    const perSecond = (ms: number) => Math.round((count / ms) * 1000).toLocaleString('en');
    console.log(
      `${engine.name}: ${perSecond(written - submitted)} written/s, ${perSecond(read - written)} replayed/s`,
    );
    expect(replayed).toBe(count);
  });
});
