import { expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { NOW, Scene } from '../../support/scene.ts';

test('the signal newest grows with the time of an item, exactly', () => {
  const scene = new Scene()
    .item('old', { created_at: 0 })
    .item('a', { created_at: NOW - 0.001 })
    .item('b');
  expect(signalValues(scene, 'newest')).toEqual({ old: 0, a: (NOW - 0.001) / 2 ** 33, b: NOW / 2 ** 33 });
});
