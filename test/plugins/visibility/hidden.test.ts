import { describe, expect, test } from 'bun:test';
import { visible } from '../../support/extensions.ts';
import { DAY, NOW, Scene } from '../../support/scene.ts';

function authored(...ids: string[]): Scene {
  const scene = new Scene();
  for (const id of ids) scene.item(id, { author: 'author' });
  return scene.item('other', { author: 'other' }).item('by an unknown author');
}

const viewer = { viewer: 'viewer' };

describe('hidden', () => {
  test('drops items that the viewer hid or reported, until that is undone', () => {
    const scene = authored('a', 'b').act('viewer', 'hide', 'a').act('viewer', 'report', 'b');
    expect(visible(scene, 'hidden', viewer)).toEqual(['other', 'by an unknown author']);
    scene.unact('viewer', 'hide', 'a');
    expect(visible(scene, 'hidden', viewer)).toEqual(['a', 'other', 'by an unknown author']);
  });

  test('drops all items of an author after three of them were hidden or reported', () => {
    const scene = authored('a', 'b', 'c', 'd').act('viewer', 'hide', 'a').act('viewer', 'report', 'b');
    expect(visible(scene, 'hidden', viewer)).toEqual(['c', 'd', 'other', 'by an unknown author']);
    scene.act('viewer', 'hide', 'c');
    expect(visible(scene, 'hidden', viewer)).toEqual(['other', 'by an unknown author']);
    expect(visible(scene, 'hidden', { viewer: 'somebody else' })).toHaveLength(6);
  });

  test('counts an item that was both hidden and reported once', () => {
    const scene = authored('a', 'b', 'c').act('viewer', 'hide', 'a').act('viewer', 'report', 'a');
    scene.act('viewer', 'hide', 'b');
    expect(visible(scene, 'hidden', viewer)).toEqual(['c', 'other', 'by an unknown author']);
  });

  test('shows the author again after 30 days, but not the hidden items', () => {
    const scene = authored('a', 'b', 'c', 'd').act('viewer', 'hide', 'a', NOW - 30 * DAY);
    scene.act('viewer', 'hide', 'b').act('viewer', 'hide', 'c');
    expect(visible(scene, 'hidden', viewer)).toEqual(['other', 'by an unknown author']);
    expect(visible(scene, 'hidden', { ...viewer, now: NOW + 0.001 })).toEqual([
      'd',
      'other',
      'by an unknown author',
    ]);
  });

  test('counts an item that was hidden at the epoch', () => {
    const scene = authored('a', 'b').act('viewer', 'hide', 'a', 0);
    const lasting = { author_items: 1, author_days: 100_000 };
    expect(visible(scene, 'hidden', viewer, lasting)).toEqual(['other', 'by an unknown author']);
  });

  test('does not treat items of unknown authors as items of one author', () => {
    const scene = new Scene();
    for (const id of ['a', 'b', 'c', 'd']) scene.item(id);
    for (const id of ['a', 'b', 'c']) scene.act('viewer', 'hide', id);
    expect(visible(scene, 'hidden', viewer)).toEqual(['d']);
  });

  test('accepts other numbers in its options', () => {
    const scene = authored('a', 'b').act('viewer', 'hide', 'a', NOW - 2 * DAY);
    expect(visible(scene, 'hidden', viewer, { author_items: 1 })).toEqual(['other', 'by an unknown author']);
    expect(visible(scene, 'hidden', viewer, { author_items: 1, author_days: 1 })).toEqual([
      'b',
      'other',
      'by an unknown author',
    ]);
  });
});
