import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ItemContent } from '../../src/model/records/item.ts';
import { Accumulator } from '../../src/signals/accumulator.ts';
import { reachByProfile } from '../../src/signals/profile.ts';
import { Scratch } from '../../src/signals/scratch.ts';
import type { TasteColumn } from '../../src/signals/tastes.ts';
import type { State } from '../../src/state/state.ts';
import { signalValues } from '../support/extensions.ts';
import { check } from '../support/long.ts';
import { fold, randomChanges, START } from '../support/random-changes.ts';
import { DAY, HOUR, NOW, Scene, weightsOf } from '../support/scene.ts';
import { naiveSignificantActs } from './significant-reference.ts';

const OPTIONS = { history: 50, values: 8, newest: 32 };
const COLUMN_WEIGHT = { author: 1, channel: 0.8, label: 0.6, app: 0.2, language: 0.1 };

function reached(state: State, viewer: number, options = OPTIONS, latest = NOW): Map<number, number> {
  const into = new Accumulator();
  reachByProfile(state, viewer, latest, options, new Scratch(state), into);
  return weightsOf(into);
}

/** By the identifiers of items. */
function found(scene: Scene, options = OPTIONS): Map<string, number> {
  const weights = reached(scene.state, scene.state.users.names.find('viewer'), options);
  return new Map([...weights].map(([item, weight]) => [scene.state.items.names.id(item), weight]));
}

function visitTastes(
  state: State,
  item: number,
  visit: (column: TasteColumn, code: number, score: number) => void,
): void {
  const { items, groups } = state;
  const visitOne = (column: TasteColumn, code: number) => code >= 0 && visit(column, code, 1);
  visitOne('author', items.author(item));
  for (const column of ['channel', 'app', 'language'] as const) visitOne(column, groups[column].of(item));
  groups.label.forEach(item, (code, score) => visit('label', code, score));
}

/** Every visible item that shares values with the viewer's items, without limits. */
function naive(state: State, viewer: number, latest: number): Map<number, number> {
  const described = Array.from({ length: state.items.size }, (_, item) => item).filter((item) =>
    state.items.described(item),
  );
  const tastes = new Map<string, number>();
  let total = 0;
  for (const { item, interest } of naiveSignificantActs(state, viewer, 500)) {
    total += interest;
    visitTastes(state, item, (column, code, score) => {
      const value = `${column} ${code}`;
      tastes.set(value, (tastes.get(value) ?? 0) + interest * score);
    });
  }
  const having = new Map<string, number>();
  for (const item of described) {
    visitTastes(state, item, (column, code) => {
      having.set(`${column} ${code}`, (having.get(`${column} ${code}`) ?? 0) + 1);
    });
  }
  const items = Math.max(2, described.length);
  const weights = new Map<number, number>();
  for (const item of described) {
    const author = state.items.author(item);
    const blocked =
      author >= 0 && (state.blocks.blocks(viewer, author) || state.blocks.blocks(author, viewer));
    if (blocked || !state.live(item) || state.items.created_at(item) > latest) continue;
    let weight = 0;
    visitTastes(state, item, (column, code) => {
      const value = `${column} ${code}`;
      if (column === 'author' && code === viewer) return;
      const rarity = Math.log(items / having.get(value)!) / Math.log(items);
      weight += (COLUMN_WEIGHT[column] * (tastes.get(value) ?? 0) * rarity) / (total || 1);
    });
    if (weight > 0) weights.set(item, weight);
  }
  return weights;
}

describe('the profile', () => {
  test("the profile weights items by the values that they share with the viewer's items", () => {
    check(100, [randomChanges({ longest: 90 }), fc.constantFrom(-2, 0, 2, 3)], (changes, ahead) => {
      const state = fold(changes);
      for (let viewer = 0; viewer < state.users.size; viewer++) {
        const latest = START + ahead;
        const weights = reached(state, viewer, { history: 500, values: 100, newest: 500 }, latest);
        const expected = naive(state, viewer, latest);
        expect([...weights.keys()].sort()).toEqual([...expected.keys()].sort());
        for (const [item, weight] of weights) expect(weight).toBeCloseTo(expected.get(item)!, 12);
      }
    });
  });

  test('the profile reaches new items without engagement of preferred authors, channels and labels', () => {
    const scene = new Scene().item('read', { author: 'a', channel: 'music', ai_labels: { jazz: 1 } });
    scene.item('by a', { author: 'a' }).item('in music', { channel: 'music' });
    scene.item('of jazz', { ai_labels: { jazz: 0.2 } }).item('of nothing');
    for (let index = 0; index < 5; index++)
      scene.item(`else ${index}`, { author: `b${index}`, channel: 'chess' });
    const weights = found(scene.act('viewer', 'like', 'read'));
    expect([...weights.keys()].sort()).toEqual(['by a', 'in music', 'of jazz', 'read']);
    expect(weights.get('by a')!).toBeGreaterThan(weights.get('in music')!);
    expect(weights.get('in music')!).toBeGreaterThan(weights.get('of jazz')!);
  });

  test('the profile prefers rare values to common ones, and ignores values of every item', () => {
    const scene = new Scene();
    const all = { language: 'en', app_fid: 'app' };
    for (let index = 0; index < 20; index++) scene.item(`c${index}`, { ...all, channel: 'common' });
    for (let index = 0; index < 3; index++) scene.item(`r${index}`, { ...all, channel: 'rare' });
    scene.act('viewer', 'like', 'c0').act('viewer', 'like', 'r0').item('neither', all);
    const weights = found(scene);
    expect(weights.get('r1')!).toBeGreaterThan(5 * weights.get('c1')!);
    expect(weights.has('neither')).toBe(false);
  });

  test('the profile uses the strongest values and their newest items', () => {
    const scene = new Scene();
    for (let index = 0; index < 9; index++) {
      scene.item(`a${index}`, { author: 'a', created_at: NOW - index });
      scene.item(`b${index}`, { author: 'b', created_at: NOW - index });
    }
    scene.act('viewer', 'like', 'a5').act('viewer', 'like', 'a6').act('viewer', 'like', 'b5');
    expect([...found(scene, { history: 50, values: 1, newest: 2 }).keys()]).toEqual(['a0', 'a1']);
    expect([...found(scene, { history: 1, values: 9, newest: 2 }).keys()]).toEqual(['b0', 'b1']);
  });

  test('the profile prefers a rare value of some acts to a common value of all acts', () => {
    const scene = new Scene();
    for (let index = 0; index < 30; index++)
      scene.item(`c${index}`, { author: index < 2 ? 'a' : `b${index}`, channel: 'common' });
    for (const item of ['c0', 'c1', 'c5']) scene.act('viewer', 'like', item);
    expect([...found(scene.item('x'), { history: 50, values: 1, newest: 9 }).keys()].sort()).toEqual([
      'c0',
      'c1',
    ]);
  });

  test('the profile ignores own posts, removed, hidden and deleted items, and inactive viewers', () => {
    const scene = new Scene()
      .item('own', { author: 'viewer' })
      .item('hid', { author: 'x' })
      .item('undone', { author: 'y' });
    scene.act('viewer', 'like', 'own').act('viewer', 'hide', 'hid').act('viewer', 'like', 'undone');
    scene.unact('viewer', 'like', 'undone', NOW + 1).item('elsewhere', { author: 'z' });
    expect(found(scene).size).toBe(0);
    scene.act('viewer', 'like', 'elsewhere').item('of z', { author: 'z' });
    expect([...found(scene).keys()].sort()).toEqual(['elsewhere', 'of z']);
    expect([...found(scene.delete('elsewhere')).keys()]).toEqual([]);
    expect(reached(scene.user('new').state, scene.state.users.names.find('new')).size).toBe(0);
  });

  test('the profile counts a view as a fifth of a like', () => {
    const scene = new Scene();
    for (const author of ['a', 'b', 'c']) scene.item(`by ${author}`, { author });
    const weights = found(scene.act('viewer', 'view', 'by a').act('viewer', 'like', 'by b'));
    expect(weights.get('by b')! / weights.get('by a')!).toBeCloseTo(5, 9);
  });

  /** The viewer likes music. It has one new item and the given number of newer hidden ones. */
  function music(count: number, content: Partial<ItemContent> = {}): Scene {
    const scene = new Scene();
    scene.now = NOW - DAY;
    for (let index = 0; index < 1000; index++) scene.item(`other ${index}`, { author: `author ${index}` });
    scene.item('liked', { author: 'band', channel: 'music' }).act('viewer', 'like', 'liked');
    scene.now = NOW - HOUR;
    scene.item('new', { author: 'newcomer', channel: 'music' });
    scene.now = NOW;
    for (let index = 0; index < count; index++) {
      scene.item(`spam ${index}`, { author: 'spammer', channel: 'music', ...content });
    }
    return scene;
  }
  const valueOfNew = (scene: Scene) => signalValues(scene, 'profile', { viewer: 'viewer' }).new;

  test.each<[string, () => Scene]>([
    ['is dated ahead', () => music(300, { created_at: NOW + 61 })],
    ['is hidden', () => music(100, { hidden: true })],
    ['is by a hidden author', () => music(100).user('spammer', { hidden: true })],
    ['is by an author whom the viewer blocks', () => music(100).block('viewer', 'spammer')],
    ['is by an author who blocks the viewer', () => music(100).block('spammer', 'viewer')],
  ])('the profile gives no place among the newest to an item that %s', (_, scene) => {
    expect(valueOfNew(music(100))).toBe(0);
    expect(valueOfNew(scene())).toBeGreaterThan(0.1);
  });

  test('the profile reaches items dated a minute ahead, as a page does', () => {
    const values = signalValues(music(1, { created_at: NOW + 60 }), 'profile', { viewer: 'viewer' });
    expect(values['spam 0']).toBeGreaterThan(0.2);
  });

  test('the profile reads at most eight items per result', () => {
    const newest = { history: 50, values: 8, newest: 2 };
    const hidden = (count: number) => [...found(music(count, { hidden: true }), newest).keys()].sort();
    expect([14, 15, 16].map(hidden)).toEqual([['liked', 'new'], ['liked', 'new'], ['liked']]);
  });

  test('the profile gives no place among the values to authors whose items the viewer may not see', () => {
    const one = { history: 50, values: 1, newest: 32 };
    const scene = () => {
      const made = new Scene().item('by a', { author: 'a' }).item('by b', { author: 'b' });
      for (let index = 0; index < 5; index++) made.item(`other ${index}`, { author: `author ${index}` });
      return made.act('viewer', 'view', 'by a').act('viewer', 'like', 'by b');
    };
    expect([...found(scene(), one).keys()]).toEqual(['by b']);
    expect([...found(scene().block('b', 'viewer'), one).keys()]).toEqual(['by a']);
    expect([...found(scene().user('b', { hidden: true }), one).keys()]).toEqual(['by a']);
  });
});
