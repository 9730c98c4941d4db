import { describe, expect, test } from 'bun:test';
import { actsOnAuthors } from '../../src/signals/author-acts.ts';
import { SignificantActs } from '../../src/signals/significant-acts.ts';
import { NOW, Scene } from '../support/scene.ts';

/** By the identifiers of authors. */
function acts(scene: Scene): Record<string, number> {
  const { names } = scene.state.users;
  const counts = actsOnAuthors(scene.state, names.find('viewer'), SignificantActs.ofUsers(scene.state));
  return Object.fromEntries([...counts].map(([author, count]) => [names.id(author), count]));
}

describe('acts on authors', () => {
  test('acts on authors add up by interest over all items of an author', () => {
    const scene = new Scene()
      .item('a1', { author: 'a' })
      .item('a2', { author: 'a' })
      .item('b1', { author: 'b' });
    scene
      .act('viewer', 'like', 'a1')
      .act('viewer', 'comment', 'a1')
      .act('viewer', 'view', 'a2')
      .act('viewer', 'share', 'b1');
    expect(acts(scene)).toEqual({ a: 2.2, b: 1 });
  });

  test('acts on authors ignore hides, reports, removed acts, items without author, and other users', () => {
    const scene = new Scene().item('a1', { author: 'a' }).item('b1', { author: 'b' }).item('without author');
    scene.act('viewer', 'hide', 'a1').act('viewer', 'report', 'a1').act('viewer', 'like', 'without author');
    scene
      .act('viewer', 'like', 'b1')
      .unact('viewer', 'like', 'b1', NOW + 1)
      .act('other', 'like', 'b1');
    expect(acts(scene)).toEqual({});
  });

  test('acts on authors are the latest 200 significant acts', () => {
    const scene = new Scene().item('a1', { author: 'a' }).act('viewer', 'like', 'a1', NOW - 9);
    for (let index = 0; index < 199; index++) scene.act('viewer', 'like', `i${index}`);
    for (let index = 200; index < 400; index++) scene.act('viewer', 'hide', `i${index}`);
    expect(acts(scene)).toEqual({ a: 1 });
    expect(acts(scene.act('viewer', 'like', 'i199'))).toEqual({});
  });

  test('acts on authors include likes before many views, and each type once per item', () => {
    const scene = new Scene().item('a1', { author: 'a' }).act('viewer', 'like', 'a1', NOW - 99);
    for (let index = 0; index < 300; index++) scene.act('viewer', 'view', `i${index}`);
    scene.item('b1', { author: 'b' });
    for (let index = 0; index < 300; index++) scene.act('viewer', 'comment', 'b1', NOW + index / 10);
    expect(acts(scene)).toEqual({ a: 1, b: 1 });
  });
});
