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
  test('keeps items of the listed channels, compared exactly', () => {
    expect(keeps('music')).toEqual(['music']);
    expect(keeps('music', 'chess', 'chess')).toEqual(['music', 'chess']);
    expect(keeps('MUSIC')).toEqual([]);
    expect(keeps('unknown')).toEqual([]);
  });

  test('keeps nothing for a channel whose last item was deleted', () => {
    const gone = new Scene().item('a', { channel: 'x' }).item('b', { channel: 'y' }).delete('a');
    expect(kept(gone, 'channels', ['x'])).toEqual([]);
  });

  test('keeps an item under its new channel only', () => {
    const moved = new Scene().item('a', { channel: 'x' }).item('a', { channel: 'y' });
    expect([kept(moved, 'channels', ['x']), kept(moved, 'channels', ['y'])]).toEqual([[], ['a']]);
  });

  test('rejects values other than a list of channels', () =>
    refused('channels', ['music', 1, true, {}, [''], [1], [null], ['a'.repeat(2049)], [['music']]]));
});
