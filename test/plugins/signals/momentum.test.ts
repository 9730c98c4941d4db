import { describe, expect, test } from 'bun:test';
import { refusedOptions, signalValues } from '../../support/extensions.ts';
import { HOUR, itemOf, NOW, requestIn, Scene } from '../../support/scene.ts';

/** Items with so many likes in the last hour, all of them three hours old. */
function scene(likes: Record<string, number>): Scene {
  const scene = new Scene();
  scene.now = NOW - 3 * HOUR;
  for (const id of Object.keys(likes)) scene.item(id).act(`first of ${id}`, 'like', id);
  scene.now = NOW;
  for (const [id, count] of Object.entries(likes)) {
    for (let index = 0; index < count; index++) scene.act(`user ${index}`, 'like', id, NOW - index * 60);
  }
  return scene;
}

describe('momentum', () => {
  test('is the share of the expected engagement of the fastest item', () => {
    const here = scene({ fast: 40, slower: 10, slow: 1 });
    const values = signalValues(here, 'momentum');
    const [fast, slower, slow] = ['fast', 'slower', 'slow'].map((id) =>
      here.state.trend.rate(itemOf(here, id), NOW),
    );
    expect(values).toEqual({
      fast: 1,
      slower: expect.closeTo(slower / fast, 12),
      slow: expect.closeTo(slow / fast, 12),
    });
    expect(values.fast).toBeGreaterThan(1.5 * values.slower);
    expect(signalValues(here, 'momentum', { viewer: 'user 1' })).toEqual(values);
  });

  test('takes the fastest that the feed may show', () => {
    const here = scene({ fast: 40, slower: 10, slow: 1 });
    const request = requestIn(here);
    request.restrictTo((item) => item !== itemOf(here, 'fast'));
    const value = request.signal('momentum');
    expect(value(itemOf(here, 'fast'))).toBe(1);
    expect(value(itemOf(here, 'slower'))).toBeCloseTo(1, 12);
    const [slower, slow] = ['slower', 'slow'].map((id) => here.state.trend.rate(itemOf(here, id), NOW));
    expect(value(itemOf(here, 'slow'))).toBeCloseTo(slow / slower, 12);
  });

  test('takes nothing below one engagement per hour for fast', () => {
    const here = scene({ old: 0, older: 0 });
    const rate = here.state.trend.rate(itemOf(here, 'old'), NOW);
    expect(rate).toBeLessThan(1);
    expect(signalValues(here, 'momentum').old).toBeCloseTo(rate, 12);
  });

  test('is 0 until engagement has been watched for two hours', () => {
    const here = new Scene().item('x').act('one', 'like', 'x');
    expect(signalValues(here, 'momentum', { now: NOW + 2 * HOUR - 1 })).toEqual({ x: 0 });
    expect(signalValues(here, 'momentum', { now: NOW + 2 * HOUR }).x).toBeGreaterThan(0);
    expect(signalValues(new Scene().item('x'), 'momentum', { now: NOW + 99 * HOUR })).toEqual({ x: 0 });
  });

  test('has sound options', () => refusedOptions('signals', 'momentum', [1, 'x', null, []]));
});
