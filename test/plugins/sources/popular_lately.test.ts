import { describe, expect, test } from 'bun:test';
import { proposed } from '../../support/extensions.ts';
import { DAY, NOW, Scene } from '../../support/scene.ts';

describe('popular_lately', () => {
  test('proposes currently popular items before formerly popular ones, two per item of the page', () => {
    const scene = new Scene();
    scene.now = NOW - 30 * DAY;
    scene.item('was').item('is').item('less').item('never').item('neither');
    scene.now = NOW;
    for (let user = 0; user < 9; user++) scene.act(`u${user}`, 'like', 'was', NOW - 20 * DAY);
    for (let user = 0; user < 4; user++) scene.act(`u${user}`, 'like', 'is');
    scene.act('u', 'like', 'less');
    expect(proposed(scene, 'popular_lately', { page_length: 1 })).toEqual(['is', 'was']);
    expect(proposed(scene, 'popular_lately')).toHaveLength(5);
  });
});
