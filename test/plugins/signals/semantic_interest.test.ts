import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

/** A vector of 16 numbers that begins with these, in base64. */
function vector(...numbers: number[]): string {
  const whole = new Int8Array(16);
  whole.set(numbers);
  return Buffer.from(whole.buffer).toString('base64');
}

function scene(): Scene {
  return new Scene()
    .item('read', { embedding: vector(100) })
    .item('close', { embedding: vector(100, 20) })
    .item('further', { embedding: vector(100, 80) })
    .item('other', { embedding: vector(0, 0, 100) })
    .item('without')
    .act('viewer', 'like', 'read');
}

describe('semantic_interest', () => {
  test('is 1 for the most similar item, also without interactions, and 0 for items without similarity', () => {
    const values = signalValues(scene(), 'semantic_interest', { viewer: 'viewer' });
    expect(values).toMatchObject({ close: 1, read: 0, other: 0, without: 0 });
    expect(values.further).toBeGreaterThan(0);
    expect(values.further).toBeLessThan(1);
  });

  test('is 0 for every item without history, without a viewer or without embeddings', () => {
    const none = { read: 0, close: 0, further: 0, other: 0, without: 0 };
    for (const viewer of ['new', undefined])
      expect(signalValues(scene(), 'semantic_interest', { viewer })).toEqual(none);
    const without = new Scene().item('a').item('b').act('viewer', 'like', 'a');
    expect(signalValues(without, 'semantic_interest', { viewer: 'viewer' })).toEqual({ a: 0, b: 0 });
  });
});
