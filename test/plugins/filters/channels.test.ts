import { describe, expect, test } from 'bun:test';
import { kept, refused } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

const scene = new Scene()
  .item('music', { channel: 'https://example.community/channel/music' })
  .item('Music', { channel: 'https://example.community/channel/Music' })
  .item('chess', { channel: 'https://example.community/channel/chess' })
  .item('none');

const keeps = (...names: string[]) =>
  kept(
    scene,
    'channels',
    names.map((name) => `https://example.community/channel/${name}`),
  );

describe('channels', () => {
  test('keeps the items of any of the channels, named exactly', () => {
    expect(keeps('music')).toEqual(['music']);
    expect(keeps('music', 'chess', 'chess')).toEqual(['music', 'chess']);
    expect(keeps('MUSIC')).toEqual([]);
    expect(keeps('unknown')).toEqual([]);
  });

  test('keeps everything when the list is empty', () => {
    expect(kept(scene, 'channels', [])).toHaveLength(4);
  });

  test('knows a channel whose last item is gone, and keeps nothing', () => {
    const gone = new Scene().item('a', { channel: 'x' }).item('b', { channel: 'y' }).delete('a');
    expect(kept(gone, 'channels', ['x'])).toEqual([]);
  });

  test('follows an item to its new channel', () => {
    const moved = new Scene().item('a', { channel: 'x' }).item('a', { channel: 'y' });
    expect([kept(moved, 'channels', ['x']), kept(moved, 'channels', ['y'])]).toEqual([[], ['a']]);
  });

  test('refuses what is no list of channels', () =>
    refused('channels', ['music', 1, true, {}, [''], [1], [null], ['a'.repeat(2049)], [['music']]]));
});
