import { describe, expect, test } from 'bun:test';
import { imageOf } from '../../src/columns/image.ts';
import { NONE } from '../../src/model/key.ts';
import { applyChange } from '../../src/state/apply.ts';
import { Fields } from '../../src/state/fields.ts';
import { State } from '../../src/state/state.ts';
import { DAY, HOUR, itemOf, Scene } from '../support/scene.ts';

/** An item with every kind of data that an item can have. */
function richItem(scene: Scene, id: string): void {
  scene
    .item(id, {
      author: 'ann',
      text: 'a text',
      channel: 'music',
      language: 'en',
      app_fid: 'app',
      publication_types: ['image'],
      embed_domains: ['blog.example.com'],
      ai_labels: { music: 0.9 },
      geo_location: '1,2',
      hidden: true,
    })
    .count(id, 1, 2, 3);
  scene.now += 1;
  scene.count(id, 4, 5, 6).act('bob', 'like', id).act('bob', 'comment', id).act('cat', 'hide', id);
  scene.unact('cat', 'like', id).act('bob', 'view', id).act('dan', 'view', id);
}

describe('ordinals', () => {
  test('ordinals of retired items are reused after an hour and not before', () => {
    const scene = new Scene().item('old').item('kept').act('bob', 'view', 'old').act('bob', 'view', 'kept');
    const old = itemOf(scene, 'old');
    scene.retire('old');
    expect(itemOf(scene, 'old')).toBe(NONE);
    scene.now += HOUR - 1;
    for (let index = 0; index < 50; index++) scene.item(`early ${index}`);
    expect(scene.state.recycler.size).toBe(1);
    scene.recycle().item('new');
    expect(itemOf(scene, 'new')).toBe(old);
    expect(scene.state.items.size).toBe(52);
    expect(scene.state.recycler).toMatchObject({ size: 0, completed: 1 });
  });

  test('ordinals are freed without delay when there are thousands', () => {
    const scene = new Scene();
    const ids = Array.from({ length: 4096 }, (_, index) => `i${index}`);
    for (const id of ids) scene.item(id);
    scene
      .retire(...ids.slice(1))
      .user('ann')
      .user('ann');
    expect(scene.state.recycler.size).toBe(4095);
    scene.retire('i0').user('ann').user('ann').user('ann');
    expect(scene.state.recycler.size).toBe(0);
    expect([scene.state.items.names.released, scene.state.items.names.count]).toEqual([4096, 0]);
  });

  test('ordinals that are retired during a round are freed by the next round', () => {
    const scene = new Scene();
    for (let user = 0; user < 600; user++)
      scene.act(`u${user}`, 'view', 'first').act(`u${user}`, 'view', 'second');
    scene.retire('first');
    scene.now += HOUR;
    scene.user('u0').retire('second').user('u0');
    expect(scene.state.recycler.size).toBe(2);
    for (let left = 0; left < 10; left++) scene.user('u0');
    expect(scene.state.recycler).toMatchObject({ size: 1, completed: 1 });
    scene.recycle();
    expect(scene.state.recycler.completed).toBe(2);
    const { touched } = scene.state.interactions;
    for (let user = 0; user < 600; user++) expect(touched.count(user)).toBe(0);
  });

  test('ordinals of items that were erased with their author are reused', () => {
    const scene = new Scene()
      .item('hers', { author: 'ann' })
      .item('deleted', { author: 'ann' })
      .delete('deleted');
    const [hers, deleted] = [itemOf(scene, 'hers'), itemOf(scene, 'deleted')];
    scene.erase('ann').recycle().item('new').item('newer');
    expect([itemOf(scene, 'new'), itemOf(scene, 'newer')].sort()).toEqual([hers, deleted].sort());
  });

  test('a reused ordinal has no data of its previous item', () => {
    const scene = new Scene();
    richItem(scene, 'old');
    const old = itemOf(scene, 'old');
    scene.retire('old').recycle();
    const { state } = scene;
    const { items, interactions, groups } = state;
    scene.act('eve', 'view', 'heard of');
    expect(itemOf(scene, 'heard of')).toBe(old);
    expect([items.described(old), items.deleted(old), items.hidden(old), items.author(old)]).toEqual([
      false,
      false,
      false,
      NONE,
    ]);
    expect([items.created_at(old), items.content_seq(old), items.text_length(old)]).toEqual([0, 0, 0]);
    expect([items.likes_count(old), items.comments_count(old), items.shares_count(old)]).toEqual([0, 0, 0]);
    expect([items.last_counted_at(old), items.has_former_counts(old), items.activity(old)]).toEqual([
      0,
      false,
      1,
    ]);
    expect(items.last_active_at(old)).toBe(Math.floor(scene.now));
    expect([interactions.by_item.length(old), state.item_places.latitude(old)]).toEqual([1, Number.NaN]);
    for (const user of ['bob', 'cat', 'dan']) {
      const ordinal = state.users.names.find(user);
      expect(interactions.touched.flags(ordinal, old)).toBe(0);
      expect(interactions.by_user.length(ordinal)).toBe(0);
    }
    expect(groups.channel.of(old)).toBe(NONE);
    expect([...groups.label.entries(old)]).toEqual([]);
    expect(groups.channel.code('music')).toBe(NONE);
  });

  test('trends do not learn from a reused ordinal as if it were its previous item', () => {
    const scene = new Scene();
    for (let index = 0; index < 40; index++) {
      scene.item(`i${index}`);
      scene.act(`u${index}`, 'like', `i${index}`);
      scene.now += 20;
    }
    const keys = (state: State) => [...state.trend.numbers()];
    scene.retire(...Array.from({ length: 40 }, (_, index) => `i${index}`));
    const before = new State();
    for (const change of scene.changes) applyChange(before, change);
    scene.recycle();
    for (let index = 0; index < 40; index++) scene.item(`new ${index}`);
    // None of the latest engagements is about an item whose ordinal was reused.
    const new_keys = new Set(
      Array.from({ length: 40 }, (_, index) => scene.state.items.names.key(itemOf(scene, `new ${index}`))),
    );
    const known = keys(scene.state)
      .slice(6, 6 + 80)
      .filter((_, index) => index % 2 === 0);
    expect(known.some((key) => new_keys.has(key))).toBe(false);
    expect(known).toEqual(new Array(40).fill(NONE));
  });
});

describe('a state in which items come and go', () => {
  const turnOver = (scene: Scene, round: number): void => {
    for (let index = 0; index < 30; index++) {
      const id = `${round} ${index} ${'x'.repeat(index % 9)}`;
      richItem(scene, id);
      scene.act(`u${index}`, 'share', id).act(`u${index}`, 'view', id);
      scene.item(`${round} ${index} other`, { embed_domains: [`site-${round}-${index}.example.com`] });
    }
    scene.now += DAY;
    scene.retire(
      ...Array.from({ length: 30 }, (_, index) => [
        `${round} ${index} ${'x'.repeat(index % 9)}`,
        `${round} ${index} other`,
      ]).flat(),
    );
    scene.recycle();
  };
  const sizes = (scene: Scene) => imageOf(scene.state).columns.map(({ type, length }) => `${type} ${length}`);

  test('a state does not grow while items with any data come and go', () => {
    const scene = new Scene(
      new State({ fields: new Fields(['item.text', 'item.channel', 'item.ai_labels']) }),
    );
    for (let round = 0; round < 3; round++) turnOver(scene, round);
    const expected = sizes(scene);
    for (let round = 3; round < 23; round++) turnOver(scene, round);
    expect(sizes(scene)).toEqual(expected);
    expect(scene.state.items.names.count).toBe(0);
    expect(scene.state.items.size).toBeLessThanOrEqual(90);
  });

  test("a state releases the memory of inactive users' acts", () => {
    const scene = new Scene();
    const { by_user, comment_ids } = scene.state.interactions as unknown as Record<string, object>;
    const sizesAfter = (round: number): number[] => {
      const ids = Array.from({ length: 60 }, (_, index) => `${round} ${index}`);
      for (const id of ids) {
        scene.item(id);
        for (let user = 0; user < 40; user++) {
          scene
            .act(`${round} u${user}`, 'like', id)
            .act(`${round} u${user}`, 'comment', id, scene.now, 'an id');
        }
      }
      scene.retire(...ids).recycle();
      return [by_user, comment_ids].map((of_users) =>
        Math.max(...imageOf(of_users).columns.map(({ length }) => length)),
      );
    };
    const [, sizes] = [sizesAfter(0), sizesAfter(1)];
    for (let round = 2; round < 8; round++) expect(sizesAfter(round)).toEqual(sizes);
  });
});
