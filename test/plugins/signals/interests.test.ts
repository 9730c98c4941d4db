import { describe, expect, test } from 'bun:test';
import { signalValues } from '../../support/extensions.ts';
import { DAY, HOUR, itemOf, NOW, requestIn, Scene } from '../../support/scene.ts';

const VIEWER = { viewer: 'viewer' };

/** Two disjoint interests: music and chess. */
function tastes(): Scene {
  const scene = new Scene();
  for (const taste of ['music', 'chess']) {
    for (let index = 0; index < 4; index++) scene.item(`${taste} ${index}`);
    for (let user = 0; user < 3; user++) {
      for (let index = 0; index <= user + 1; index++)
        scene.act(`${taste} fan ${user}`, 'like', `${taste} ${index}`);
    }
  }
  return scene;
}

describe('interest_all', () => {
  test('is 1 for the item reached most, above 0 for other choices of similar users, else 0', () => {
    const scene = tastes().act('viewer', 'like', 'music 0');
    const values = signalValues(scene, 'interest_all', VIEWER);
    expect(Math.max(...Object.values(values))).toBe(1);
    for (const [id, value] of Object.entries(values)) {
      // Items that the viewer acted on are starting points and not reached.
      if (id.startsWith('chess') || id === 'music 0') expect(value).toBe(0);
      else expect(value).toBeGreaterThan(0);
    }
  });

  test('is 1 for the item reached most among those that the feed may show', () => {
    const scene = tastes().act('viewer', 'like', 'music 0');
    const all = signalValues(scene, 'interest_all', VIEWER);
    const [best, second, third] = Object.keys(all).toSorted((one, other) => all[other] - all[one]);
    const request = requestIn(scene, VIEWER);
    request.restrictTo({ filtered: (item) => item !== itemOf(scene, best), visible: () => true });
    const value = request.signal('interest_all');
    expect([best, second, third].map((id) => value(itemOf(scene, id)))).toEqual([
      1,
      1,
      expect.closeTo(all[third] / all[second], 12),
    ]);
  });

  test('gives later interactions more weight', () => {
    const scene = tastes()
      .act('viewer', 'like', 'chess 0', NOW - 2 * DAY)
      .act('viewer', 'like', 'music 0');
    const values = signalValues(scene, 'interest_all', VIEWER);
    expect(values['music 1']).toBeGreaterThan(3 * values['chess 1']);
    expect(values['chess 1']).toBeGreaterThan(0);
  });

  test('changes with the next like', () => {
    const scene = tastes().act('viewer', 'like', 'music 0').act('viewer', 'like', 'chess 0');
    const values = signalValues(scene, 'interest_all', VIEWER);
    expect(values['chess 1']).toBeGreaterThan(0);
    scene.unact('viewer', 'like', 'chess 0');
    expect(signalValues(scene, 'interest_all', VIEWER)['chess 1']).toBe(0);
  });
});

/** The viewer liked `old` long ago and `new` now. A fan of each likes another item. */
function longAgo(): Scene {
  const scene = new Scene();
  for (const id of ['old', 'new', 'beside old', 'beside new', 'alone']) scene.item(id);
  for (const [fan, item] of [
    ['f', 'old'],
    ['g', 'new'],
  ]) {
    scene.act(fan, 'like', item, NOW - 10).act(fan, 'like', `beside ${item}`, NOW - 5);
  }
  return scene.act('viewer', 'like', 'old', NOW - 60 * DAY).act('viewer', 'like', 'new', NOW - 1);
}

describe('interest_lasting', () => {
  test('does not fade as interest_all does', () => {
    const request = VIEWER;
    const lasting = signalValues(longAgo(), 'interest_lasting', request);
    const fading = signalValues(longAgo(), 'interest_all', request);
    expect(lasting['beside new']).toBe(1);
    expect(lasting['beside old']).toBeGreaterThan(2 * fading['beside old']);
    expect(lasting.alone).toBe(0);
  });
});

/** Music, chess and tea: a fan of each likes two items of it. */
function pairs(): Scene {
  const scene = new Scene();
  for (const taste of ['music', 'chess', 'tea']) {
    for (const id of [taste, `more ${taste}`])
      scene.item(id).act(`${taste} fan`, 'like', id, NOW - 99 * HOUR);
  }
  return scene;
}

describe('interest_recent', () => {
  test('fades within hours, and ignores interactions 36 hours before the latest', () => {
    const scene = pairs().act('viewer', 'like', 'tea', NOW - 37 * HOUR);
    scene.act('viewer', 'like', 'music', NOW - 12 * HOUR).act('viewer', 'like', 'chess');
    const recent = signalValues(scene, 'interest_recent', VIEWER);
    const all = signalValues(scene, 'interest_all', VIEWER);
    expect([recent['more chess'], all['more chess']]).toEqual([1, 1]);
    // With the same history: (1 + 12 / 24) compared to (1 + 12 / 4).
    expect(recent['more music'] / all['more music']).toBeCloseTo(1.5 / 4, 6);
    expect(recent['more tea']).toBe(0);
    expect(all['more tea']).toBeGreaterThan(0);
  });

  test("measures time from the viewer's latest interaction, even if that is old", () => {
    const then = pairs()
      .act('viewer', 'like', 'music', NOW - 900 * HOUR)
      .act('viewer', 'like', 'chess', NOW - 895 * HOUR);
    const values = signalValues(then, 'interest_recent', VIEWER);
    expect(values['more chess']).toBe(1);
    expect(values['more music']).toBeGreaterThan(0.2);
  });
});

describe('profile', () => {
  test('is 1 for the best match, and above 0 for matching items without interactions', () => {
    const scene = new Scene().item('read', { author: 'a', channel: 'music' });
    scene
      .item('by a in music', { author: 'a', channel: 'music' })
      .item('by a', { author: 'a', channel: 'tea' });
    scene
      .item('in music', { author: 'b', channel: 'music' })
      .item('neither', { author: 'c', channel: 'chess' });
    const values = signalValues(scene.act('viewer', 'like', 'read'), 'profile', VIEWER);
    expect(values).toMatchObject({ read: 1, 'by a in music': 1, neither: 0 });
    expect(values['by a']).toBeGreaterThan(values['in music']);
    expect(values['in music']).toBeGreaterThan(0.2);
  });
});

/** A vector of 16 numbers that begins with these, in base64. */
function vector(...numbers: number[]): string {
  const whole = new Int8Array(16);
  whole.set(numbers);
  return Buffer.from(whole.buffer).toString('base64');
}

function embedded(): Scene {
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
    const values = signalValues(embedded(), 'semantic_interest', VIEWER);
    expect(values).toMatchObject({ close: 1, read: 0, other: 0, without: 0 });
    expect(values.further).toBeGreaterThan(0);
    expect(values.further).toBeLessThan(1);
  });

  test('is 0 for every item without history, without a viewer or without embeddings', () => {
    const none = { read: 0, close: 0, further: 0, other: 0, without: 0 };
    for (const viewer of ['new', undefined])
      expect(signalValues(embedded(), 'semantic_interest', { viewer })).toEqual(none);
    const without = new Scene().item('a').item('b').act('viewer', 'like', 'a');
    expect(signalValues(without, 'semantic_interest', VIEWER)).toEqual({ a: 0, b: 0 });
  });
});
