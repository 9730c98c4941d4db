import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { DAY, HOUR, itemOf, NOW, Scene } from '../../support/scene.ts';

describe('popular', () => {
  test('is engagement e as e / (e + 20), at any age', () => {
    const scene = new Scene().item('none').item('half', { created_at: 1 }).count('half', 10, 7, 3);
    scene.item('much').count('much', 1e15);
    const { none, half, much } = signalValues(scene, 'popular');
    expect([none, half]).toEqual([0, 0.5]);
    expect(much).toBeGreaterThan(0.99);
    expect(much).toBeLessThanOrEqual(1);
  });

  test('counts interactions with the service', () => {
    const scene = new Scene().item('a').act('u', 'like', 'a').act('u', 'bookmark', 'a').act('u', 'view', 'a');
    expect(signalValues(scene, 'popular')).toEqual({ a: 1 / 21 });
  });
});

describe('popular_lately', () => {
  test('is the mean of engagement in six hours, a day, a week and ever, each as e / (e + 20)', () => {
    const scene = new Scene();
    scene.now = NOW - 30 * DAY;
    for (const id of ['now', 'today', 'this week', 'long ago', 'never']) scene.item(id);
    scene.now = NOW;
    scene.act('u', 'like', 'now', NOW - HOUR).act('u', 'like', 'today', NOW - 20 * HOUR);
    scene.act('u', 'share', 'this week', NOW - 3 * DAY).act('u', 'comment', 'long ago', NOW - 20 * DAY);
    const one = 1 / 21;
    const values = signalValues(scene, 'popular_lately');
    const expected = { now: one, today: (3 * one) / 4, 'this week': one / 2, 'long ago': one / 4, never: 0 };
    for (const [id, value] of Object.entries(expected)) expect(values[id]).toBeCloseTo(value, 12);
  });

  test('counts each user once per window', () => {
    const scene = new Scene();
    scene.now = NOW - 30 * DAY;
    for (const id of ['liked', 'talked about', 'pushed']) scene.item(id);
    scene.now = NOW;
    for (let user = 0; user < 5; user++) scene.act(`u${user}`, 'like', 'liked', NOW - HOUR);
    for (let time = 0; time < 100; time++) {
      scene
        .act('fan', 'comment', 'pushed', NOW - HOUR - time)
        .act('fan', 'comment', 'pushed', NOW - 20 * DAY - time);
      scene.act(`u${time % 3}`, 'comment', 'talked about', NOW - 3 * DAY - time);
    }
    scene.act('fan', 'like', 'pushed').act('fan', 'share', 'pushed').act('u9', 'like', 'talked about');
    const values = signalValues(scene, 'popular_lately');
    expect(values.liked).toBeCloseTo(5 / 25, 12);
    expect(values.pushed).toBeCloseTo(1 / 21, 12);
    expect(values['talked about']).toBeCloseTo((1 / 21 + 1 / 21 + 4 / 24 + 4 / 24) / 4, 12);
  });

  test("takes a source's counts as they are, and counts users once after the last count", () => {
    const scene = new Scene();
    scene.now = NOW - 30 * DAY;
    scene.item('x').count('x', 10);
    scene.now = NOW - 2 * HOUR;
    for (let time = 0; time < 9; time++) scene.act('fan', 'comment', 'x', NOW - 3 * HOUR - time);
    scene.count('x', 30);
    scene.now = NOW;
    for (let time = 0; time < 9; time++) scene.act('fan', 'comment', 'x', NOW - time);
    const [lately, ever] = [21 / 41, 31 / 51];
    expect(signalValues(scene, 'popular_lately').x).toBeCloseTo((3 * lately + ever) / 4, 12);
  });

  test('stays below 1 and moves with the clock', () => {
    const scene = new Scene().item('much');
    for (let user = 0; user < 500; user++) scene.act(`u${user}`, 'like', 'much');
    const now = signalValues(scene, 'popular_lately').much;
    expect(now).toBeLessThan(1);
    expect(signalValues(scene, 'popular_lately', { now: NOW + 7 * HOUR }).much).toBeLessThan(now);
  });
});

describe('trending', () => {
  test('is r / (r + 10) with the engagements r expected per hour', () => {
    const scene = new Scene()
      .item('fresh')
      .item('old', { created_at: NOW - 10 * HOUR })
      .item('none');
    for (let index = 0; index < 30; index++) {
      scene.act(`user ${index}`, 'like', 'fresh').act(`user ${index}`, 'like', 'old', NOW - 9 * HOUR);
    }
    const values = signalValues(scene, 'trending');
    for (const [id, value] of Object.entries(values)) {
      const rate = scene.state.trend.rate(itemOf(scene, id), NOW);
      expect(value).toBeCloseTo(rate / (rate + 10), 12);
    }
    expect(values.fresh).toBeGreaterThan(0.5);
    expect(values.fresh).toBeGreaterThan(3 * values.old);
    expect(values.none).toBeGreaterThan(0);
  });

  test('is the same for every viewer, and treats future items as items of now', () => {
    const scene = new Scene().item('now').count('now', 5);
    scene.item('future', { created_at: NOW + 50 }).count('future', 5);
    const values = signalValues(scene, 'trending');
    expect(values.future).toBe(values.now);
    expect(signalValues(scene.act('viewer', 'view', 'now'), 'trending', { viewer: 'viewer' })).toEqual(
      values,
    );
  });

  test('falls with time', () => {
    const scene = new Scene().item('a').count('a', 5);
    const later = [0, 1, 24, 1000].map(
      (hours) => signalValues(scene, 'trending', { now: NOW + hours * HOUR }).a,
    );
    expect(later).toEqual(later.toSorted((one, other) => other - one));
    expect(later[3]).toBeLessThan(later[0] / 100);
  });
});

test('the signal newest grows with the time of an item, exactly', () => {
  const scene = new Scene()
    .item('old', { created_at: 0 })
    .item('a', { created_at: NOW - 0.001 })
    .item('b');
  expect(signalValues(scene, 'newest')).toEqual({ old: 0, a: (NOW - 0.001) / 2 ** 33, b: NOW / 2 ** 33 });
});
