import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('topic')
  .item('reply', { parent_item_id: 'topic', root_item_id: 'topic' })
  .item('reply to a stranger', { parent_item_id: 'nowhere' })
  .item('of a thread', { root_item_id: 'topic' });

describe('replies', () => {
  test('keeps only items with a parent, or only items without one', () => {
    expect(kept(scene, 'replies', 'only')).toEqual(['reply', 'reply to a stranger']);
    expect(kept(scene, 'replies', 'exclude')).toEqual(['topic', 'of a thread']);
  });

  test('keeps replies and other items if it is not set', () => {
    for (const off of [null, '', 'none', []]) expect(kept(scene, 'replies', off)).toHaveLength(4);
  });

  test('uses the current parent of an item, also after it was added or removed', () => {
    const changed = new Scene().item('a').item('b', { parent_item_id: 'a' });
    changed.item('a', { parent_item_id: 'x' }).item('b', {});
    expect(kept(changed, 'replies', 'only')).toEqual(['a']);
    changed.delete('a');
    expect(kept(changed, 'replies', 'only')).toEqual([]);
  });

  test('rejects all other values', () =>
    refused('replies', ['both', 'Only', 'include', true, 1, ['only'], { only: true }]));
});
