import { describe, expect, test } from 'bun:test';
import { refusedOptions, visible } from '../../support/extensions.ts';
import { DAY, NOW, Scene } from '../../support/scene.ts';

function authored(...ids: string[]): Scene {
  const scene = new Scene();
  for (const id of ids) scene.item(id, { author: 'author' });
  return scene.item('other', { author: 'other' }).item('by nobody');
}

const viewer = { viewer: 'viewer' };

describe('hidden', () => {
  test('drops what the viewer hid or reported, until that is taken back', () => {
    const scene = authored('a', 'b').act('viewer', 'hide', 'a').act('viewer', 'report', 'b');
    expect(visible(scene, 'hidden', viewer)).toEqual(['other', 'by nobody']);
    scene.unact('viewer', 'hide', 'a');
    expect(visible(scene, 'hidden', viewer)).toEqual(['a', 'other', 'by nobody']);
  });

  test('keeps an author away of whom three items were hidden or reported', () => {
    const scene = authored('a', 'b', 'c', 'd').act('viewer', 'hide', 'a').act('viewer', 'report', 'b');
    expect(visible(scene, 'hidden', viewer)).toEqual(['c', 'd', 'other', 'by nobody']);
    scene.act('viewer', 'hide', 'c');
    expect(visible(scene, 'hidden', viewer)).toEqual(['other', 'by nobody']);
    expect(visible(scene, 'hidden', { viewer: 'somebody else' })).toHaveLength(6);
  });

  test('counts an item once that was both hidden and reported', () => {
    const scene = authored('a', 'b', 'c').act('viewer', 'hide', 'a').act('viewer', 'report', 'a');
    scene.act('viewer', 'hide', 'b');
    expect(visible(scene, 'hidden', viewer)).toEqual(['c', 'other', 'by nobody']);
  });

  test('forgives an author after 30 days, but not the items', () => {
    const scene = authored('a', 'b', 'c', 'd').act('viewer', 'hide', 'a', NOW - 30 * DAY);
    scene.act('viewer', 'hide', 'b').act('viewer', 'hide', 'c');
    expect(visible(scene, 'hidden', viewer)).toEqual(['other', 'by nobody']);
    expect(visible(scene, 'hidden', { ...viewer, now: NOW + 0.001 })).toEqual(['d', 'other', 'by nobody']);
  });

  test('counts what was hidden at the first second of all time', () => {
    const scene = authored('a', 'b').act('viewer', 'hide', 'a', 0);
    const lasting = { author_items: 1, author_days: 100_000 };
    expect(visible(scene, 'hidden', viewer, lasting)).toEqual(['other', 'by nobody']);
  });

  test('never takes items of unknown author for those of one author', () => {
    const scene = new Scene();
    for (const id of ['a', 'b', 'c', 'd']) scene.item(id);
    for (const id of ['a', 'b', 'c']) scene.act('viewer', 'hide', id);
    expect(visible(scene, 'hidden', viewer)).toEqual(['d']);
  });

  test('takes other numbers as options', () => {
    const scene = authored('a', 'b').act('viewer', 'hide', 'a', NOW - 2 * DAY);
    expect(visible(scene, 'hidden', viewer, { author_items: 1 })).toEqual(['other', 'by nobody']);
    expect(visible(scene, 'hidden', viewer, { author_items: 1, author_days: 1 })).toEqual([
      'b',
      'other',
      'by nobody',
    ]);
  });

  test('refuses numbers below 1 and fractions', () =>
    refusedOptions(
      'visibility_rules',
      'hidden',
      [0, -1, 1.5, Number.NaN, Infinity, '3', null].flatMap((bad) => [
        { author_items: bad },
        { author_days: bad },
      ]),
    ));
});
