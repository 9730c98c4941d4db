import { describe, expect, test } from 'bun:test';
import { refusedOptions, scores, signalValues } from '../../support/extensions.ts';
import { Scene } from '../../support/scene.ts';

describe('wallet_popular_v0.0.1', () => {
  test('scores every item with the signal popular_lately', () => {
    const scene = new Scene().item('a').item('b').act('u', 'like', 'a');
    expect(scores(scene, 'wallet_popular_v0.0.1')).toEqual(signalValues(scene, 'popular_lately'));
  });

  test('takes no options', () =>
    refusedOptions('scoring_functions', 'wallet_popular_v0.0.1', [{ days: 1 }, 1, null]));
});
