import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('surely', { ai_labels: { music: 0.9, gaming: 0.1 } })
  .item('just', { ai_labels: { music: 0.6001 } })
  .item('at the threshold', { ai_labels: { music: 0.6, gaming: 1 } })
  .item('hardly', { ai_labels: { music: 0 } })
  .item('untagged');

describe('ai_labels', () => {
  test("keeps items with a score strictly above the service's threshold", () => {
    expect(kept(scene, 'ai_labels', ['music'])).toEqual(['surely', 'just']);
    expect(kept(scene, 'ai_labels', [{ label: 'music' }])).toEqual(['surely', 'just']);
    expect(kept(scene, 'ai_labels', ['Music'])).toEqual([]);
  });

  test("keeps items with a score strictly above the label's own threshold", () => {
    const above = (threshold: number) => kept(scene, 'ai_labels', [{ label: 'music', threshold }]);
    expect(above(0)).toEqual(['surely', 'just', 'at the threshold']);
    expect(above(0.6)).toEqual(['surely', 'just']);
    expect(above(0.9)).toEqual([]);
    expect(above(1)).toEqual([]);
  });

  test('keeps items that match at least one label', () => {
    expect(kept(scene, 'ai_labels', ['gaming', { label: 'music', threshold: 0.8 }, 'unheard of'])).toEqual([
      'surely',
      'at the threshold',
    ]);
    expect(kept(scene, 'ai_labels', ['unheard of'])).toEqual([]);
  });

  test('rejects values other than a list of labels with valid thresholds', () =>
    refused('ai_labels', [
      'music',
      1,
      {},
      [''],
      [1],
      [null],
      [{}],
      [{ label: '' }],
      [{ threshold: 0.5 }],
      [{ label: 'music', minimum: 0.5 }],
      ...[-0.1, 1.1, Number.NaN, Infinity, '0.5', null].map((threshold) => [{ label: 'music', threshold }]),
    ]));
});
