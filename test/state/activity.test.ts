import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { COUNTERS } from '../../src/model/acts.ts';
import { Activity, MARKS_MAX, WINDOWS } from '../../src/state/activity.ts';
import { check } from '../support/long.ts';
import { DAY, HOUR, itemOf, NOW, Scene } from '../support/scene.ts';
import { steps } from '../support/steps.ts';
import { expectAlike, LONGEST, measured, naive, naiveGained, within } from './activity-reference.ts';

type Step =
  | { kind: 'act' | 'unact'; user: string; event: 'like' | 'comment' | 'share' | 'view'; ahead: number }
  | { kind: 'count'; by: [number, number, number] }
  | { kind: 'delete' };

const STEP: fc.Arbitrary<Step> = fc.oneof(
  steps(18, ['act', 'act', 'act', 'unact'], {
    user: fc.constantFrom('a', 'b', 'c'),
    event: fc.constantFrom('like' as const, 'comment' as const, 'share' as const, 'view' as const),
    ahead: fc.constantFrom(0, 0, -20, -4000, 30, 1000),
  }),
  steps(12, 'count', {
    by: fc.tuple(...COUNTERS.map(() => fc.constantFrom(0, 0, 1, 7, -2))) as fc.Arbitrary<
      [number, number, number]
    >,
  }),
  steps(1, 'delete', {}),
);
const STEPS = fc.array(fc.tuple(STEP, fc.constantFrom(0, 1, 30, 290, 2000, 9000, 60_000)), {
  maxLength: 25,
  size: 'max',
});

/** Applies steps to the item `x`, each the given seconds after the previous one. */
function played(steps: [Step, number][]): Scene {
  const scene = new Scene().item('x');
  const counts = [3, 1, 0];
  for (const [step, pause] of steps) {
    scene.now += pause;
    if (step.kind === 'delete') scene.delete('x').item('x');
    else if (step.kind === 'count') {
      for (const [index, by] of step.by.entries()) counts[index] = Math.max(0, counts[index] + by);
      scene.count('x', counts[0], counts[1], counts[2]);
    } else scene[step.kind](step.user, step.event, 'x', scene.now + step.ahead);
  }
  return scene;
}

function rate(scene: Scene, id: string, now = scene.now): number {
  return scene.state.trend.rate(itemOf(scene, id), now);
}

describe('activity', () => {
  test('activity equals a count act by act and rise by rise, for any history', () => {
    check(60, [STEPS, fc.constantFrom(0, 10, 600, DAY)], (steps, later) => {
      const { state, now } = played(steps);
      const activity = new Activity(state);
      for (const moment of [now, now + later, now - 100]) {
        expectAlike(measured(state, 0, moment, activity), naive(state, 0, moment));
        expect(activity.lastAt(0, moment)).toBe(naive(state, 0, moment).last_at);
      }
      for (const since of [now - 20, now - 7200]) {
        expect(activity.gained(0, since, now)).toBeCloseTo(naiveGained(state, 0, since, now), 6);
      }
    });
  });

  test('activity counts each user once per window, whatever they did', () => {
    const scene = new Scene().item('x', { created_at: NOW - DAY });
    for (let minute = 0; minute < 30; minute++) scene.act('one', 'comment', 'x', NOW - 60 * minute);
    scene
      .act('one', 'like', 'x')
      .act('one', 'share', 'x', NOW - 400)
      .act('two', 'like', 'x', NOW - 400);
    expect([5, 10, 40].map((minutes) => within(scene, 'x', minutes))).toEqual([1, 2, 2]);
    expect(measured(scene.state, 0, NOW)).toMatchObject({ total: 2, comments: 30, comments_within_hour: 30 });
  });

  test('activity counts each user once, however many items were measured before', () => {
    const scene = new Scene().item('x', { created_at: NOW - DAY });
    for (let minute = 0; minute < 4; minute++) scene.act('one', 'comment', 'x', NOW - 60 * minute);
    const activity = new Activity(scene.state, MARKS_MAX - 3);
    for (let time = 0; time < 4; time++) {
      expect(measured(scene.state, 0, NOW, activity)).toMatchObject({ total: 1, comments: 4 });
      expect(activity.gained(0, NOW - DAY, NOW)).toBe(1);
    }
  });

  test('the age of an item ignores events dated more than a year before it', () => {
    const scene = new Scene().item('x', { created_at: NOW - HOUR }).act('one', 'like', 'x', 0);
    expect(measured(scene.state, 0, NOW)).toMatchObject({ age: HOUR, total: 1 });
    scene.act('two', 'like', 'x', NOW - 300 * DAY);
    expect(measured(scene.state, 0, NOW)).toMatchObject({ age: 300 * DAY, total: 2 });
    const counted = new Scene().item('x', { created_at: NOW - HOUR });
    counted.now = 1;
    counted.count('x', 3);
    counted.now = NOW;
    expect(measured(counted.state, 0, NOW)).toMatchObject({ age: HOUR, total: 3 });
  });

  test('activity ignores views, bookmarks, hides and removed acts', () => {
    const scene = new Scene().item('x').act('one', 'view', 'x').act('two', 'bookmark', 'x');
    scene
      .act('three', 'hide', 'x')
      .act('four', 'like', 'x')
      .unact('four', 'like', 'x', NOW + 1);
    expect(measured(scene.state, 0, NOW)).toMatchObject({ total: 0, within: WINDOWS.map(() => 0) });
  });

  test('activity spreads the rise of a counter over the time since the previous count', () => {
    const scene = new Scene().item('x').count('x', 10);
    scene.now += 1200;
    scene.count('x', 30);
    expect([5, 10, 20, 40].map((minutes) => within(scene, 'x', minutes))).toEqual([5, 10, 20, 20]);
  });

  test('activity treats neither the first count nor a fall as a rise', () => {
    const scene = new Scene().item('x').count('x', 1000);
    expect(within(scene, 'x', 1280)).toBe(0);
    scene.now += 60;
    expect(within(scene.count('x', 900), 'x', 1280)).toBe(0);
  });

  test('activity counts an own act that a later count includes only once', () => {
    const scene = new Scene().item('x').count('x', 10);
    scene.now += 30;
    scene.act('one', 'like', 'x');
    scene.now += 270;
    scene.count('x', 12);
    // One of the two likes is known. The other came at an unknown time in these five minutes.
    expect(within(scene, 'x', 5)).toBe(2);
    expect(within(scene, 'x', 1280)).toBe(2);
  });

  test('activity of a counted item includes comments only without likes and shares', () => {
    const scene = new Scene().item('liked').count('liked', 5, 1).item('discussed').count('discussed', 0, 1);
    scene.now += 300;
    scene.count('liked', 5, 9).count('discussed', 0, 9);
    expect([within(scene, 'liked', 5), within(scene, 'discussed', 5)]).toEqual([0, 8]);
    expect(measured(scene.state, itemOf(scene, 'liked'), scene.now)).toMatchObject({
      total: 5,
      comments: 9,
      comments_within_hour: 8,
    });
  });

  test('the rate of a counted item is not lowered by users who only comment', () => {
    const scene = new Scene().item('x').count('x', 5);
    scene.now += 300;
    for (let second = 0; second < 10; second++) scene.act('one', 'comment', 'x', scene.now - second);
    expect(measured(scene.state, 0, scene.now)).toMatchObject({ total: 5, comments: 10 });
  });

  test('the rate of a liked item with a source does not rise by own comments, nor when it becomes idle', () => {
    const scene = new Scene();
    scene.now = NOW - 5 * HOUR;
    for (const id of ['commented', 'counted']) scene.item(id).count(id, 5);
    scene.now = NOW - 600;
    for (let user = 0; user < 60; user++) scene.act(`u${user}`, 'comment', 'commented');
    scene.now = NOW;
    for (const id of ['commented', 'counted']) scene.count(id, 5, 60);
    expect(rate(scene, 'commented', NOW)).toBeCloseTo(rate(scene, 'counted', NOW), 9);
    expect(rate(scene, 'counted', NOW + LONGEST)).toBeLessThanOrEqual(
      rate(scene, 'counted', NOW + LONGEST - 1),
    );
  });

  test('the windows of a rarely counted item stay valid when users act on it', () => {
    const scene = new Scene();
    scene.now = NOW - 90 * 60;
    const ids = ['left', 'viewed', 'commented', 'liked'];
    for (const id of ids) scene.item(id).count(id, 100);
    scene.now = NOW - 30 * 60;
    for (const id of ids) scene.count(id, 200);
    scene.now = NOW;
    scene.act('one', 'view', 'viewed').act('one', 'comment', 'commented').act('one', 'like', 'liked');
    const [left, viewed, commented, liked] = ids.map((id) => rate(scene, id));
    expect([viewed, commented]).toEqual([left, left]);
    expect([liked >= left, liked / left < 1.2]).toEqual([true, true]);
    expect(within(scene, 'liked', 20)).toBeCloseTo(1 + 100 / 3, 9);
    // Nothing rose with the next count, and counts expire without further ones.
    scene.now = NOW + 600;
    scene.count('liked', 201);
    scene.now = NOW + 1200;
    scene.act('two', 'like', 'liked');
    expect(within(scene, 'liked', 5)).toBe(1);
    scene.now = NOW + 2 * LONGEST;
    scene.act('three', 'like', 'left');
    expect(measured(scene.state, itemOf(scene, 'left'), scene.now).within).toEqual(WINDOWS.map(() => 1));
  });

  test('an item that its source counted once continues at its lifetime rate when users act on it', () => {
    const scene = new Scene();
    scene.now = NOW - 2 * HOUR;
    const ids = ['left', 'viewed', 'commented', 'liked', 'liked by many'];
    for (const id of ids) scene.item(id, { created_at: NOW - 3 * HOUR }).count(id, 99);
    scene.now = NOW;
    scene.act('one', 'view', 'viewed').act('one', 'comment', 'commented').act('one', 'like', 'liked');
    for (let user = 0; user < 50; user++) scene.act(`fan ${user}`, 'like', 'liked by many', NOW - 20 * user);
    const [left, viewed, commented, liked, many] = ids.map((id) => rate(scene, id));
    expect(viewed).toBe(left);
    expect(commented).toBeCloseTo(left, 9);
    expect([liked / left > 1, liked / left < 1.5, many / left > 3]).toEqual([true, true, true]);
    // 100 in the five hours of a life of three.
    expect(within(scene, 'liked', 20)).toBeCloseTo(1 + 100 / 15, 9);
    // Own acts that the count includes have known times, so they do not continue.
    scene.now = NOW - 2 * HOUR;
    scene.item('counted late', { created_at: NOW - 3 * HOUR });
    for (let user = 0; user < 9; user++) scene.act(`fan ${user}`, 'like', 'counted late');
    scene.count('counted late', 9);
    scene.now = NOW;
    expect(within(scene.act('one', 'like', 'counted late'), 'counted late', 20)).toBe(1);
  });

  test('one more like never lowers the rate, and a comment never changes the rate of an item with source likes', () => {
    check(60, [STEPS, fc.constantFrom(1, 600, 9000), fc.constantFrom(0, HOUR)], (steps, wait, later) => {
      const [untouched, liked, viewed, commented] = ['', 'like', 'view', 'comment'].map((event) => {
        const scene = played(steps);
        scene.now += wait;
        if (event !== '') scene.act('somebody new', event, 'x');
        return scene;
      });
      const { items, trend } = untouched.state;
      const moment = untouched.now + later;
      // An item that was idle for longer is as old as its creation, whatever was dated before it.
      fc.pre(moment - new Activity(untouched.state).lastAt(0, moment) < LONGEST);
      const before = trend.rate(0, moment);
      expect(rate(viewed, 'x', moment)).toBe(before);
      expect(rate(liked, 'x', moment) / before).toBeGreaterThan(1 - 1e-9);
      if (items.source(0, 'likes_count') + items.source(0, 'shares_count') === 0) return;
      expect(rate(commented, 'x', moment) / before).toBeCloseTo(1, 6);
    });
  });

  test("the source's counts decide which counters define the rate, whatever own acts there are", () => {
    const scene = new Scene();
    scene.now = NOW - 2 * HOUR;
    for (const id of ['left', 'liked']) scene.item(id).count(id, 0, 0);
    scene.now = NOW;
    for (const id of ['left', 'liked']) scene.count(id, 0, 200);
    scene.now = NOW + 1;
    scene.act('one', 'like', 'liked');
    expect(rate(scene, 'left')).toBeGreaterThan(50);
    expect(rate(scene, 'liked')).toBeGreaterThan(rate(scene, 'left'));
    // Once the source counts a like, comments are ignored.
    expect(within(scene.count('liked', 1, 200), 'liked', 160)).toBe(1);
  });

  test('activity ignores future acts and uses a count for as long as the longest window', () => {
    const scene = new Scene()
      .item('x')
      .act('one', 'comment', 'x', NOW + 30)
      .act('two', 'like', 'x');
    expect(within(scene, 'x', 5)).toBe(1);
    expect(measured(scene.state, 0, NOW + 40).within[0]).toBe(2);
    scene.count('x', 3);
    expect(measured(scene.state, 0, NOW + DAY).last_at).toBe(NOW + 30);
    const still = new Scene().item('x').count('x', 3);
    still.now += 1200;
    still.count('x', 23);
    for (const [later, engagements, observed] of [
      [0, 20, 1200],
      [LONGEST - 1, 20, 1200],
      [LONGEST, 0, 1200],
    ]) {
      const { within, observed: watched } = measured(still.state, 0, still.now + later);
      expect([within[2], watched[2]]).toEqual([engagements, observed]);
    }
  });

  test('activity of a deleted item is gone and restarts when the item is posted again', () => {
    const scene = new Scene().item('x').act('one', 'like', 'x').count('x', 3);
    scene.now += 60;
    scene.count('x', 30).delete('x').item('x').act('two', 'like', 'x');
    expect(measured(scene.state, 0, scene.now)).toMatchObject({ total: 1, age: 0 });
    expect(within(scene, 'x', 1280)).toBe(1);
  });
});
