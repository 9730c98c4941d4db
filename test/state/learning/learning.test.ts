import { describe, expect, test } from 'bun:test';
import type { LearningPage, ShownPage } from '../../../src/model/shown-page.ts';
import { ORIGINS } from '../../../src/model/shown-page.ts';
import { signalKey } from '../../../src/model/signal-key.ts';
import { State } from '../../../src/state/state.ts';
import { viewerOf } from '../../support/random-history.ts';
import { DAY, HOUR, Scene } from '../../support/scene.ts';

const WINDOW = 60;
const TASTE = signalKey('taste');
const ITEMS = ['a', 'b', 'c', 'd'];

function scene(items: readonly string[] = ITEMS): Scene {
  const made = new Scene(new State({ viewerOf }));
  for (const item of items) made.item(item, { author: `by ${item}` });
  return made;
}

/** A page that models learn from, with the values of the signal `taste`. */
function page(values: readonly number[], learning: Partial<LearningPage> = {}): Partial<ShownPage> {
  const about = { window_seconds: WINDOW, is_reported: false, is_control: false, is_learned: true };
  const signals = { signals: Uint32Array.of(TASTE), signal_values: Uint8Array.from(values) };
  return { ...signals, learning: { ...about, ...learning } };
}

const rate = ({ state, now }: Scene, item: string) =>
  state.learning.clickRate(state.items.names.find(item), now);
const model = ({ state }: Scene, feed = 0) => state.learning.modelOf('for-you', feed);
/** Lets windows pass. */
function later(made: Scene, seconds = WINDOW): Scene {
  made.now += seconds;
  return made.user('passer-by');
}

/** As many pages as the model takes for a step, each with an act on the fourth item. */
function fourPages(made: Scene, items: readonly string[], about: Partial<ShownPage>): void {
  for (const viewer of ['u', 'v', 'w', 'x']) made.log(viewer, items, about).act(viewer, 'like', items[3]);
  later(made);
}

describe('the click rate of an item', () => {
  test('rises with acts of viewers who were shown the item, once a page', () => {
    const made = scene().log('u', ['a', 'b']);
    const before = rate(made, 'a');
    made.act('u', 'like', 'a');
    const liked = rate(made, 'a');
    expect(liked).toBeGreaterThan(before);
    made.act('u', 'comment', 'a', made.now, 'c1').act('stranger', 'like', 'a').act('u', 'view', 'b');
    expect(rate(made, 'a')).toBe(liked);
    expect(rate(made, 'b')).toBeLessThan(liked);
  });

  test('falls again when the act is taken back, and counts no act a day later or before the page', () => {
    const made = scene().log('u', ['a']);
    const before = rate(made, 'a');
    made.act('u', 'like', 'a').unact('u', 'like', 'a');
    expect(rate(made, 'a')).toBe(before);
    made.act('u', 'share', 'a', made.now - 10);
    expect(rate(made, 'a')).toBe(before);
    made.now += DAY;
    const quiet = rate(made, 'a');
    made.act('u', 'bookmark', 'a');
    expect(rate(made, 'a')).toBe(quiet);
  });

  test('counts nothing new when an earlier act is sent again, or one of two is taken back', () => {
    const made = scene().act('u', 'like', 'a').act('u', 'bookmark', 'a');
    made.now += 10;
    made.log('u', ['a']);
    made.now += 10;
    const before = rate(made, 'a');
    expect(rate(made.act('u', 'like', 'a'), 'a')).toBe(before);
    expect(rate(made.unact('u', 'like', 'a'), 'a')).toBe(before);
    expect(rate(made.act('u', 'like', 'a'), 'a')).toBeGreaterThan(before);
    expect(rate(made.unact('u', 'bookmark', 'a'), 'a')).toBeGreaterThan(before);
    expect(rate(made.unact('u', 'like', 'a'), 'a')).toBe(before);
  });

  test('counts no act of a viewer who wants no personalised pages any more', () => {
    const made = scene().user('u').log('u', ['a']).prefer('u', { personalised: false });
    const before = rate(made, 'a');
    expect(rate(made.act('u', 'like', 'a'), 'a')).toBe(before);
  });

  test('counts acts on a page also after a report of an older page', () => {
    const made = scene().log('u', ['a']);
    made.log('v', ['a'], { time: made.now - DAY + 1 });
    made.now += 10;
    const before = rate(made, 'a');
    expect(rate(made.act('u', 'like', 'a'), 'a')).toBeGreaterThan(before);
  });

  test('counts a page as many times as the pages that it stands for', () => {
    const [once, often] = [0, 5].map((halvings) => scene().log('u', ['a'], {}, halvings).log('v', ['b']));
    expect(rate(often, 'a')).toBeLessThan(rate(once, 'a'));
  });

  test('is close to the rate of the author and of the channel while there is little data', () => {
    const made = new Scene(new State({ viewerOf }));
    made.item('hit', { author: 'ann', channel: 'jazz' }).item('miss', { author: 'bob', channel: 'rock' });
    for (let viewer = 0; viewer < 30; viewer++)
      made.log(`v${viewer}`, ['hit', 'miss']).act(`v${viewer}`, 'like', 'hit');
    made.item('by ann', { author: 'ann' }).item('by bob', { author: 'bob' }).item('by nobody');
    made.item('of jazz', { channel: 'jazz' }).item('of rock', { channel: 'rock' });
    const [whole, ...good] = ['by nobody', 'by ann', 'of jazz'].map((item) => rate(made, item));
    const bad = ['by bob', 'of rock'].map((item) => rate(made, item));
    expect(Math.min(...good)).toBeGreaterThan(whole);
    expect(Math.max(...bad)).toBeLessThan(whole);
  });

  test('forgets slowly, and for good when the item is deleted', () => {
    const made = scene();
    for (let viewer = 0; viewer < 50; viewer++) made.log(`v${viewer}`, ['a']).act(`v${viewer}`, 'like', 'a');
    const [fresh, other] = [rate(made, 'a'), rate(made, 'b')];
    expect(fresh).toBeGreaterThan(other);
    made.now += 30 * DAY;
    expect(rate(made, 'a')).toBeLessThan((fresh + other) / 2);
    made.now -= 30 * DAY;
    made.delete('a').item('a');
    expect(rate(made, 'a')).toBeLessThan((fresh + other) / 2);
  });
});

describe('a model', () => {
  test('learns after the window which signal leads to acts, of the feed and of its type', () => {
    const made = scene();
    for (let viewer = 0; viewer < 400; viewer++) {
      made.log(`v${viewer}`, ITEMS, { ...page([0, 250, 10, 240]), feed: viewer % 2 === 0 ? 7 : 0 });
      made.act(`v${viewer}`, 'like', 'b').act(`v${viewer}`, 'like', 'd');
    }
    expect(model(made)).toBeUndefined();
    later(made);
    expect([model(made)?.pages, model(made, 7)?.pages]).toEqual([400, 200]);
    expect(model(made)?.weightOf(TASTE)).toBeGreaterThan(0.5);
    expect(model(made, 7)?.priorOf(TASTE)).toBe(model(made)?.weightOf(TASTE) ?? 0);
    expect(model(made, 9)?.weightOf(TASTE)).toBe(model(made)?.weightOf(TASTE) ?? 0);
    expect(made.state.learning.modelOf('trending', 0)).toBeUndefined();
  });

  test('learns nothing from pages without an act, unless they were reported', () => {
    const made = later(
      scene()
        .log('u', ITEMS, page([1, 2, 3, 4]))
        .log('v', ITEMS, page([1, 2, 3, 4])),
    );
    expect(model(made)).toBeUndefined();
    later(made.log('u', ITEMS, page([9, 9, 9, 9], { is_reported: true })));
    expect(model(made)).toMatchObject({ pages: 0 });
  });

  test('learns from reported pages without an act that acts are rare, and nothing of the order', () => {
    const [intercept, rarer] = [0, 20].map((ignored) => {
      const made = scene();
      for (let nth = 0; nth < ignored; nth++)
        made.log(`w${nth}`, ITEMS, page([9, 250, 9, 9], { is_reported: true }));
      later(later(made), DAY);
      for (let viewer = 0; viewer < 8; viewer++)
        made.log(`v${viewer}`, ['a', 'b'], page([0, 0])).act(`v${viewer}`, 'like', 'b');
      expect(model(later(made))?.learntOf(TASTE)).toBe(0);
      return model(made)?.intercept;
    });
    expect(rarer).toBeLessThan(intercept ?? Number.NaN);
  });

  test('learns from all items of a page whose slots say nothing, and from all slots alike', () => {
    const items = Array.from({ length: 30 }, (_, at) => `i${at}`);
    const [ordered, unordered] = [undefined, true as const].map((is_unordered) => {
      const made = scene(items);
      const values = items.map((_, at) => (at === 29 ? 255 : 0));
      for (let viewer = 0; viewer < 8; viewer++)
        made
          .log(`v${viewer}`, items, page(values, { is_unordered }))
          .act(`v${viewer}`, 'like', viewer % 2 === 0 ? 'i0' : 'i15');
      return model(later(made));
    });
    expect(unordered?.learntOf(TASTE)).toBeLessThan(0);
    expect(ordered?.learntOf(TASTE)).toBe(0);
  });

  test.each([
    ['a late act', (made: Scene) => later(made).act('u', 'like', 'b')],
    [
      'an act that was taken back',
      (made: Scene) => later(made.act('u', 'like', 'b').unact('u', 'like', 'b')),
    ],
    [
      'an act of a hidden user',
      (made: Scene) => later(made.user('u', { hidden: true }).act('u', 'like', 'b')),
    ],
    ['an erased viewer', (made: Scene) => later(made.act('u', 'like', 'b').erase('u'))],
    ['a deleted item', (made: Scene) => later(made.act('u', 'like', 'b').delete('b'))],
  ])('learns nothing from %s', (_, happens) => {
    const made = scene()
      .user('u')
      .log('u', ['a', 'b', 'c'], page([10, 200, 30]));
    happens(made);
    expect(model(made)?.pages ?? 0).toBe(0);
  });

  test('does not learn an order from pages with one item, as reports of single items are', () => {
    const made = scene();
    for (const viewer of ITEMS) {
      made.log(viewer, ['a'], page([200], { is_reported: true })).act(viewer, 'like', 'a');
      made.log(viewer, ['b'], page([200], { is_reported: true }));
    }
    expect(model(later(made))).toMatchObject({ pages: 0 });
    later(made.log('u', ['a', 'b'], page([200, 0], { is_reported: true })).act('u', 'like', 'a'));
    expect(model(made)).toMatchObject({ pages: 1 });
  });

  test('learns from a hidden item that its signals are bad', () => {
    const made = scene();
    for (let viewer = 0; viewer < 100; viewer++)
      made
        .log(`v${viewer}`, ['a', 'b'], page([0, 250]))
        .act(`v${viewer}`, 'like', 'b')
        .act(`v${viewer}`, 'hide', 'b');
    later(made);
    expect(model(made)?.learntOf(TASTE)).toBeLessThan(-0.5);
  });

  test('learns from ten items below the last act, and from no promoted one', () => {
    const items = Array.from({ length: 30 }, (_, at) => `i${at}`);
    const weights = [0, 13, 29].map((seen) => {
      const made = scene(items);
      // One item has the signal. If it taught, its weight would fall.
      const values = items.map((_, at) => (at === seen ? 255 : 0));
      fourPages(made, items, page(values));
      return model(made)?.learntOf(TASTE);
    });
    expect(weights[0]).toBeLessThan(0);
    expect(weights[1]).toBeLessThan(0);
    expect(weights[2]).toBe(0);
    const made = scene(items);
    const origins = Uint8Array.from(items, (_, at) => (at === 0 ? ORIGINS.indexOf('promoted') : 0));
    fourPages(made, items, { ...page(items.map((_, at) => (at === 0 ? 255 : 0))), origins });
    expect(model(made)?.learntOf(TASTE)).toBe(0);
  });

  test('is taught less by each further page of a viewer on a day, and by at most 20', () => {
    const made = scene();
    made.now = Math.ceil(made.now / DAY) * DAY;
    const steps: number[] = [];
    for (let page_of = 0; page_of < 150; page_of++) {
      steps.push(model(made)?.learntOf(TASTE) ?? 0);
      made.log('u', ['a', 'b'], page([0, 255])).act('u', page_of % 2 === 0 ? 'like' : 'share', 'b');
      made.act('u', 'bookmark', 'b').unact('u', 'bookmark', 'b');
      later(made);
    }
    expect(model(made)?.pages).toBe(20);
    expect(steps[10] - steps[9]).toBeLessThan((steps[1] - steps[0]) / 5);
    later(made, DAY)
      .log('u', ['a', 'b'], page([0, 255]))
      .act('u', 'like', 'a');
    later(made);
    expect(model(made)?.pages).toBe(21);
  });

  test('is taught by at most 20 pages of a viewer on a day, also between reports of pages of the day before', () => {
    const made = scene();
    made.now = Math.ceil(made.now / DAY) * DAY + HOUR;
    for (let page_of = 0; page_of < 30; page_of++) {
      made.log('u', ['a', 'b'], { ...page([0, 255]), time: made.now - 2 * HOUR });
      made.log('u', ['a', 'b'], page([0, 255])).act('u', 'comment', 'b', made.now, `c${page_of}`);
      later(made);
    }
    expect(model(made)?.pages).toBe(20);
  });

  test('moves less when all acts are on items of one of many authors', () => {
    const [one, many] = [true, false].map((single) => {
      const made = scene();
      for (let item = 0; item < 30; item++)
        made
          .item(`i${item}`, { author: single ? 'star' : `author ${item}` })
          .item(`ignored${item}`, { author: `other ${item}` });
      for (let viewer = 0; viewer < 120; viewer++)
        made
          .log(`v${viewer}`, [`ignored${viewer % 30}`, `i${viewer % 30}`], page([0, 250]))
          .act(`v${viewer}`, 'like', `i${viewer % 30}`);
      return later(made).state.learning.modelOf('for-you', 0)?.learntOf(TASTE) ?? 0;
    });
    expect(one).toBeGreaterThan(0);
    expect(one).toBeLessThan(many);
  });

  test('does not take an item for bad because many act on it', () => {
    const made = scene();
    // Six in ten act on one of four items, which alone has the signal.
    for (let viewer = 0; viewer < 400; viewer++) {
      const wanted = viewer % 10 < 6 ? 'a' : ITEMS[1 + (viewer % 3)];
      made
        .log(`v${viewer}`, ITEMS, page([255, 0, 0, 0], { is_unordered: true }))
        .act(`v${viewer}`, 'like', wanted);
    }
    expect(model(later(made))?.weightOf(TASTE)).toBeGreaterThan(0.2);
  });

  test('does not learn while it is frozen, and forgets when it is reset', () => {
    const made = scene();
    const learn = (user: string) =>
      later(made.log(user, ['a', 'b'], { ...page([0, 250]), feed: 7 }).act(user, 'like', 'b'));
    learn('u');
    made.model('freeze', 7);
    learn('v');
    expect(model(made, 7)).toMatchObject({ pages: 1, is_frozen: true });
    expect(model(made)?.pages).toBe(2);
    made.model('thaw', 7);
    learn('w');
    expect(model(made, 7)).toMatchObject({ pages: 2, is_frozen: false });
    made.model('reset', 7);
    expect(model(made, 7)).toMatchObject({ pages: 0 });
    expect(model(made)?.pages).toBe(3);
  });
});

describe('the comparison with the control', () => {
  /** Pages of a feed, of which some viewers get the default, with acts at two rates. */
  function compared(pages: number, rates: { control: number; learned: number }): Scene {
    const made = scene();
    for (let at = 0; at < pages; at++) {
      const is_control = at % 2 === 0;
      const viewer = `v${at % 997}`;
      made.log(viewer, ['a', 'b'], { ...page([0, 9], { is_control, is_learned: !is_control }), feed: 7 });
      const nth = Math.floor(at / 2);
      const share = is_control ? rates.control : rates.learned;
      if (Math.floor((nth + 1) * share) > Math.floor(nth * share))
        made.act(viewer, 'comment', 'a', made.now, `c${at}`);
      later(made, 2 * WINDOW);
    }
    return made;
  }

  test('counts pages and acts of both, and lets a feed fall back that gets fewer acts', () => {
    const made = compared(1_000, { control: 0.6, learned: 0.2 });
    const { control, learned, fell_back_at } = model(made, 7)!;
    expect(control.acts / control.pages).toBeCloseTo(0.6, 1);
    expect(learned.acts / learned.pages).toBeCloseTo(0.2, 1);
    expect(fell_back_at).toBeGreaterThan(0);
    expect(Math.min(control.pages, learned.pages)).toBeLessThan(300);
    expect(model(made)?.fell_back_at).toBe(0);
    expect(model(made.model('reset', 7), 7)?.fell_back_at).toBe(0);
  });

  test('counts the parts of a page that are reported one after another as one page', () => {
    const made = scene();
    const learning = { is_reported: true };
    made.log('u', ['a', 'b'], { ...page([0, 9], learning), feed: 7 }).act('u', 'like', 'a');
    made.log('u', ['c', 'd'], { ...page([0, 9], learning), slots: Uint16Array.of(3, 4), feed: 7 });
    later(made.act('u', 'like', 'c'));
    expect(model(made, 7)?.learned).toMatchObject({ pages: 1, acts: 2 });
  });

  test('notes no fall of a feed that was reset meanwhile, so that its next one is noted', () => {
    const made = compared(1_000, { control: 0.6, learned: 0.2 });
    expect(model(made.model('fall_back', 7), 7)?.is_fall_noted).toBe(true);
    expect(model(made.model('reset', 7).model('fall_back', 7), 7)?.is_fall_noted ?? false).toBe(false);
    later(made.log('v', ['a', 'b'], { ...page([0, 9]), feed: 7 }).act('v', 'like', 'b'));
    expect(model(made.model('fall_back', 7), 7)?.is_fall_noted).toBe(false);
  });

  test('lets no feed fall back that gets as many acts or more', () => {
    for (const learned of [0.4, 0.6]) {
      const made = compared(1_200, { control: 0.4, learned });
      expect(model(made, 7)).toMatchObject({
        fell_back_at: 0,
        control: { pages: 600 },
        learned: { pages: 600 },
      });
    }
  });
});

describe('open pages', () => {
  test('take at most 16 MB; the oldest are closed early', () => {
    const items = Array.from({ length: 50 }, (_, at) => `i${at}`);
    const made = scene(items);
    const signals = Uint32Array.from({ length: 20 }, (_, at) => at + 1);
    const learning = { window_seconds: HOUR, is_reported: true, is_control: false, is_learned: true };
    const about = { signals, signal_values: new Uint8Array(50 * 20).fill(9), learning };
    let largest = 0;
    for (let viewer = 0; viewer < 14_000; viewer++) {
      made.log(`v${viewer}`, items, about);
      largest = Math.max(largest, made.state.learning.open_bytes);
    }
    expect(largest).toBeGreaterThan(13 * 2 ** 20);
    expect(largest).toBeLessThanOrEqual(16 * 2 ** 20);
    expect(model(made)?.keys).toContain(1);
    made.act('v13999', 'like', 'i3');
    expect(rate(made, 'i3')).toBeGreaterThan(rate(made, 'i4'));
    later(made, 2 * DAY);
    expect(made.state.learning.open_bytes).toBeLessThan(2 ** 20);
  });
});
