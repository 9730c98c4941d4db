import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('from 9152', { app_fid: '9152' })
  .item('from warp', { app_fid: 'warp' })
  .item('from nowhere');

describe('app_fids', () => {
  test('keeps items of the listed apps, given as text or integers', () => {
    expect(kept(scene, 'app_fids', [9152])).toEqual(['from 9152']);
    expect(kept(scene, 'app_fids', ['9152', 'warp', 'other'])).toEqual(['from 9152', 'from warp']);
    expect(kept(scene, 'app_fids', ['other'])).toEqual([]);
  });

  test('rejects values other than a list of identifiers', () =>
    refused('app_fids', ['9152', 9152, {}, [''], [null], [1.5], [2 ** 53], ['a'.repeat(257)], [['9152']]]));
});
