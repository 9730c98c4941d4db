import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('spam', { ai_labels: { spam: 0.61 } })
  .item('at the threshold', { ai_labels: { spam: 0.6, hate: 0.2 } })
  .item('untagged');

describe('remove_ai_labels', () => {
  test('drops items with a score strictly above the threshold and keeps untagged items', () => {
    expect(kept(scene, 'remove_ai_labels', ['spam'])).toEqual(['at the threshold', 'untagged']);
    expect(kept(scene, 'remove_ai_labels', [{ label: 'spam', threshold: 0.5 }])).toEqual(['untagged']);
    expect(kept(scene, 'remove_ai_labels', ['spam', { label: 'hate', threshold: 0.1 }])).toEqual([
      'untagged',
    ]);
    expect(kept(scene, 'remove_ai_labels', [{ label: 'spam', threshold: 1 }])).toHaveLength(3);
  });

  test('drops nothing for unknown labels and for an empty list', () => {
    expect(kept(scene, 'remove_ai_labels', ['unheard of'])).toHaveLength(3);
    expect(kept(scene, 'remove_ai_labels', [])).toHaveLength(3);
  });

  test('rejects values other than a list of labels', () =>
    refused('remove_ai_labels', [
      'spam',
      {},
      [''],
      [null],
      [{ label: 'spam', threshold: 2 }],
      [{ label: 1 }],
    ]));
});
