import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { NOW, Scene } from '../../support/scene.ts';

const scene = new Scene().item('none').item('few').count('few', 2, 1, 0).item('many').count('many', 10, 5, 3);

describe('engagement', () => {
  test('keeps the items within the bounds, which are inclusive', () => {
    expect(kept(scene, 'engagement', { min_likes_count: 2 })).toEqual(['few', 'many']);
    expect(kept(scene, 'engagement', { max_likes_count: 2 })).toEqual(['none', 'few']);
    expect(kept(scene, 'engagement', { min_likes_count: 2, max_likes_count: 2 })).toEqual(['few']);
    expect(kept(scene, 'engagement', { min_comments_count: 2 })).toEqual(['many']);
    expect(kept(scene, 'engagement', { max_comments_count: 0 })).toEqual(['none']);
    expect(kept(scene, 'engagement', { min_shares_count: 4 })).toEqual([]);
    expect(kept(scene, 'engagement', { max_shares_count: 2, min_likes_count: 1 })).toEqual(['few']);
  });

  test("adds interactions since the source's count to that count", () => {
    const live = new Scene().item('a').count('a', 1);
    live.now = NOW + 1;
    live.act('u', 'like', 'a');
    expect(kept(live, 'engagement', { min_likes_count: 2 })).toEqual(['a']);
    live.now = NOW + 2;
    live.unact('u', 'like', 'a');
    expect(kept(live, 'engagement', { min_likes_count: 2 })).toEqual([]);
  });

  test('keeps every item without bounds', () => {
    for (const options of [{}, { min_likes_count: 0 }])
      expect(kept(scene, 'engagement', options)).toHaveLength(3);
  });

  test('rejects invalid bounds, crossed bounds and unknown names', () =>
    refused('engagement', [
      5,
      'many',
      [10],
      { likes_count: 1 },
      { min_likes: 1 },
      { min_likes_count: 3, max_likes_count: 2 },
      { min_shares_count: 1, max_shares_count: 0 },
      ...[-1, 1.5, Number.NaN, Infinity, '3', null, true, 2 ** 53].map((bound) => ({
        min_comments_count: bound,
      })),
    ]));
});
