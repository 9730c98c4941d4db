import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { HOUR, NOW, Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('old', { created_at: NOW - 2 * HOUR })
  .item('at', { created_at: NOW - HOUR })
  .item('after', { created_at: NOW - HOUR + 0.001 });

describe('end_timestamp', () => {
  test('keeps items created at or before the moment', () => {
    const moment = NOW - HOUR;
    for (const form of ['hours_ago:1', moment, String(moment), new Date(moment * 1000).toISOString()]) {
      expect(kept(scene, 'end_timestamp', form)).toEqual(['old', 'at']);
    }
  });

  test('evaluates relative forms at the time of the request', () => {
    expect(kept(scene, 'end_timestamp', 'hours_ago:1', { now: NOW + 1 })).toEqual(['old', 'at', 'after']);
    expect(kept(scene, 'end_timestamp', 0)).toEqual([]);
    expect(kept(scene, 'end_timestamp', '1960-01-01')).toEqual([]);
    expect(kept(scene, 'end_timestamp', '9999-12-31')).toHaveLength(3);
  });

  test('rejects values other than a moment', () =>
    refused('end_timestamp', [
      -1,
      NOW * 1000,
      Number.NaN,
      'hours_ago:x',
      'tomorrow',
      '2023-02-30',
      true,
      [1],
      {},
    ]));
});
