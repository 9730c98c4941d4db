import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { seededRandom } from '../../src/clock.ts';
import { SCORE_FEATURES, SIGNAL_FEATURES, scoreByte, signalByte } from '../../src/learner/features.ts';
import { type LearningPage, PageModel, type Weights } from '../../src/learner/page-model.ts';
import { check } from '../support/long.ts';

const BASE = 1;
const KEYS = Uint32Array.of(BASE, 7, 4_000_000_000);

const aPage: fc.Arbitrary<LearningPage> = fc.integer({ min: 1, max: 12 }).chain((items) =>
  fc.record({
    keys: fc.constant(KEYS),
    features: fc.uint8Array({ minLength: items * KEYS.length, maxLength: items * KEYS.length }),
    labels: fc
      .array(fc.constantFrom(-1, 0, 1), { minLength: items, maxLength: items })
      .map((labels) => Int8Array.from(labels)),
    offsets: fc
      .array(fc.double({ min: -3, max: 0, noNaN: true }), { minLength: items, maxLength: items })
      .map((offsets) => Float64Array.from(offsets)),
    weight: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);
const somePages = fc.array(aPage, { maxLength: 30 });

function taught(pages: readonly LearningPage[], prior?: Weights): PageModel {
  const model = new PageModel(BASE);
  for (const page of pages) model.learn(page, prior);
  return model;
}

function bits(model: PageModel): Float64Array {
  return model.numbers().slice();
}

/** Pages of a viewer who acts by these weights. */
function planted(weights: readonly number[], intercept: number, count: number, seed = 5): LearningPage[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const items = 20;
    const features = new Uint8Array(items * KEYS.length);
    const labels = new Int8Array(items);
    const offsets = Float64Array.from(labels, (_, slot) => -Math.log(Math.log2(2 + slot)));
    for (let item = 0; item < items; item++) {
      let logit = intercept + offsets[item];
      for (const [key, weight] of weights.entries()) {
        const byte = Math.floor(256 * random());
        features[item * KEYS.length + key] = byte;
        logit += weight * (key === 0 ? SCORE_FEATURES[byte] : SIGNAL_FEATURES[byte]);
      }
      labels[item] = random() < 1 / (1 + Math.exp(-logit)) ? 1 : 0;
    }
    return { keys: KEYS, features, labels, offsets, weight: 1 };
  });
}

/** The difference of the logits of two items, which decides their order. */
function advantage(weights: Weights, one: readonly number[], other: readonly number[]): number {
  return [...KEYS].reduce((sum, key, at) => sum + weights.weightOf(key) * (one[at] - other[at]), 0);
}

describe('features', () => {
  test('a signal is 0 for 0, 255 for 1, and rises with its value', () => {
    expect([0, 1, -1, 2].map(signalByte)).toEqual([0, 255, 0, 255]);
    expect(signalByte(0.001)).toBe(26);
    expect(SIGNAL_FEATURES[signalByte(0.1)]).toBeCloseTo(2, 1);
    check(
      200,
      [fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })],
      (one, other) => {
        if (one <= other) expect(signalByte(one)).toBeLessThanOrEqual(signalByte(other));
      },
    );
  });

  test('a byte of a score gives its logarithm back within half a step', () => {
    check(200, [fc.double({ min: 0, max: 19, noNaN: true })], (score) => {
      const exact = Math.max(-7, Math.log(0.001 + score));
      expect(Math.abs(SCORE_FEATURES[scoreByte(score)] - exact)).toBeLessThanOrEqual(5 / 255 + 1e-9);
    });
    expect(scoreByte(1e9)).toBe(255);
  });
});

describe('PageModel', () => {
  test('without pages its weights are those of the prior: 1 for the score, or the given one', () => {
    const { intercept, weightOf } = new PageModel(BASE).used();
    expect([intercept, ...[...KEYS].map(weightOf)]).toEqual([0, 1, 0, 0]);
    const prior: Weights = { intercept: -2, weightOf: (key) => key / 4e9 };
    const used = new PageModel(BASE).used(prior);
    expect(used.weightOf(KEYS[2])).toBe(prior.weightOf(KEYS[2]));
  });

  test('finds the weights by which viewers act, whatever the slots', () => {
    const truth = [0.5, 2, -1];
    // Acts are rare, as in feeds. Where most items are acted on, the weights are too small.
    const used = taught(planted(truth, -5, 6000)).used();
    for (const [at, key] of KEYS.entries())
      expect(Math.abs(used.weightOf(key) - truth[at])).toBeLessThan(0.35);
    expect(Math.abs(used.intercept + 5)).toBeLessThan(1.2);
  });

  test('orders items better after some hundred pages than without', () => {
    // The score misleads.
    const used = taught(planted([-0.5, 2, 0], -2, 500)).used();
    expect(advantage(used, [0, 1, 0], [1, 0, 0])).toBeGreaterThan(0);
    expect(advantage(new PageModel(BASE).used(), [0, 1, 0], [1, 0, 0])).toBeLessThan(0);
  });

  test('follows viewers who change', () => {
    const model = taught([...planted([0, 2, 0], -2, 3000), ...planted([0, -2, 0], 1, 3000, 6)]);
    expect(model.used().weightOf(KEYS[1])).toBeLessThan(-0.5);
  });

  test('adds up the gradients of its losses by weights and intercept', () => {
    const start = [0, 1, 0, 0];
    const logitsOf = ({ features, offsets }: LearningPage, weights: readonly number[]) =>
      [...offsets].map((offset, item) =>
        [...KEYS].reduce((sum, _, key) => {
          const byte = features[item * KEYS.length + key];
          return sum + weights[1 + key] * (key === 0 ? SCORE_FEATURES[byte] : SIGNAL_FEATURES[byte]);
        }, offset),
      );
    /** How unlikely it is that these items of the page got its acts, and not others. */
    const orderLoss = (page: LearningPage, weights: readonly number[]) => {
      const logits = logitsOf(page, weights);
      const sum = Math.log(logits.reduce((all, logit) => all + Math.exp(logit), 0));
      return page.labels.reduce((loss, label, item) => loss + label * (sum - logits[item]), 0);
    };
    const countLoss = (page: LearningPage, weights: readonly number[]) =>
      logitsOf(page, start).reduce((loss, logit, item) => {
        const with_intercept = logit + weights[0];
        return loss + Math.log1p(Math.exp(with_intercept)) - page.labels[item] * with_intercept;
      }, 0);
    const slopeOf = (lossOf: typeof orderLoss, page: LearningPage, at: number) => {
      const nudged = (by: number) => start.map((weight, other) => weight + (other === at ? by : 0));
      return (lossOf(page, nudged(1e-5)) - lossOf(page, nudged(-1e-5))) / 2e-5;
    };
    check(50, [aPage], (page) => {
      const [pages, , of_intercept, , , ...rest] = taught([page]).numbers();
      const acts = page.labels.filter((label) => label !== 0).length;
      const scale = page.weight * Math.min(1, 4 / acts);
      expect(pages).toBe(acts === 0 || page.labels.length === 1 ? 0 : 1);
      expect(of_intercept).toBeCloseTo(page.weight * slopeOf(countLoss, page, 0), 4);
      const slopes = rest.slice(2 * KEYS.length, 3 * KEYS.length);
      for (const [at, slope] of slopes.entries())
        expect(slope).toBeCloseTo(acts === 0 ? 0 : scale * slopeOf(orderLoss, page, at + 1), 4);
    });
  });

  test('continues from its numbers to the bit', () => {
    check(40, [somePages, somePages], (before, after) => {
      const whole = taught([...before, ...after]);
      const restored = new PageModel(BASE);
      for (const page of planted([1, 1, 1], 0, 3)) restored.learn(page);
      restored.restore(taught(before).numbers().slice());
      for (const page of after) restored.learn(page);
      expect(bits(restored)).toEqual(bits(whole));
    });
  });

  test('moves no used weight by more than a bound, whatever one page says', () => {
    check(40, [somePages, aPage], (before, page) => {
      const model = taught(before);
      const weights = () => {
        const { intercept, weightOf } = model.used();
        return [intercept, ...[...KEYS].map(weightOf)];
      };
      const former = weights();
      model.learn(page);
      for (const [at, weight] of weights().entries()) {
        const [distance_max, prior] = at === 0 ? [12, 0] : [4, at === 1 ? 1 : 0];
        // The bounds widen with the pages, by less than 1 / 300 of their maximum each.
        const most = 3 / Math.sqrt(model.pages) + distance_max / 300;
        if (model.pages > 0) expect(Math.abs(weight - former[at])).toBeLessThanOrEqual(most + 1e-9);
        expect(Math.abs(weight - prior)).toBeLessThanOrEqual(distance_max);
      }
    });
  });

  test('uses the prior and a part of what was learnt, which grows with the pages', () => {
    check(20, [somePages, fc.double({ min: -2, max: 2, noNaN: true })], (pages, start) => {
      const prior: Weights = { intercept: start, weightOf: () => start };
      const model = taught(pages, prior);
      const { weightOf } = model.used(prior);
      for (const key of model.keys) {
        const learnt = model.learnt(key, prior) ?? Number.NaN;
        expect(weightOf(key)).toBeCloseTo(start + (model.pages / (model.pages + 300)) * (learnt - start), 9);
        expect(Math.abs(learnt - start)).toBeLessThanOrEqual(4 + 1e-9);
      }
    });
  });

  test('learns from pages of weight 0 that they exist, and from pages without an act that acts are rare', () => {
    const pages = planted([1, 1, 1], 0, 40);
    const ignored = taught(pages.map((page) => ({ ...page, weight: 0 })));
    expect([ignored.pages, ...[...KEYS].map((key) => ignored.learnt(key))]).toEqual([40, 1, 0, 0]);
    const model = taught(pages);
    const { intercept } = model.used();
    for (const page of pages) model.learn({ ...page, labels: page.labels.map(() => 0) });
    expect(model.pages).toBe(40);
    for (const page of pages.slice(0, 4)) model.learn(page);
    expect(model.used().intercept).toBeLessThan(intercept);
  });

  test('does not mind how many items a page has, and how active its viewer is', () => {
    // The signal is higher on pages of active viewers, and on each page lower for items that are acted on.
    const pages = planted([0, -1, 0], 1, 2000).map((page, at) =>
      at % 2 === 0
        ? page
        : {
            ...page,
            features: page.features.map((byte) => byte >> 1),
            labels: page.labels.map((label, item) => (item % 3 === 0 ? label : 0)),
          },
    );
    expect(taught(pages).used().weightOf(KEYS[1])).toBeLessThan(-0.5);
  });

  test('an item that is hidden counts against its features', () => {
    const pages = planted([0, 0, 0], 0, 200).map((page) => {
      const loudest = page.labels.reduce<number>(
        (best, _, item) => (page.features[item * 3 + 1] > page.features[best * 3 + 1] ? item : best),
        0,
      );
      return { ...page, labels: page.labels.map((_, item) => (item === loudest ? -1 : 0)) };
    });
    expect(taught(pages).used().weightOf(KEYS[1])).toBeLessThan(-0.5);
  });

  test('forgets keys that are no longer on pages when there are too many', () => {
    const model = new PageModel(BASE);
    for (let key = 2; key < 202; key++)
      model.learn({ ...planted([1], 0, 1)[0], keys: Uint32Array.of(BASE, key, key + 1000) });
    expect(model.learnt(201)).toBeDefined();
    expect(model.learnt(2)).toBeUndefined();
    expect(model.keys.length).toBeLessThanOrEqual(64);
    expect(model.keys[0]).toBe(BASE);
  });
});
