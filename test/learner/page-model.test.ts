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
  return Float64Array.from(model.numbers());
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
    const used = taught(planted(truth, -2, 4000)).used();
    for (const [at, key] of KEYS.entries())
      expect(Math.abs(used.weightOf(key) - truth[at])).toBeLessThan(0.3);
    expect(Math.abs(used.intercept + 2)).toBeLessThan(0.5);
  });

  test('orders items better after some hundred pages than without', () => {
    // The score misleads.
    const used = taught(planted([-0.5, 2, 0], -2, 500)).used();
    expect(advantage(used, [0, 1, 0], [1, 0, 0])).toBeGreaterThan(0);
    expect(advantage(new PageModel(BASE).used(), [0, 1, 0], [1, 0, 0])).toBeLessThan(0);
  });

  test('follows viewers who change', () => {
    const model = taught([...planted([0, 2, 0], -2, 3000), ...planted([0, -2, 0], -2, 3000, 6)]);
    expect(model.used().weightOf(KEYS[1])).toBeLessThan(-1);
  });

  test('steps down the gradient of the log loss', () => {
    // The first step of a weight is STEP × gradient / √(start + gradient²), so a move gives the gradient.
    const learns = (page: LearningPage): number[] => {
      const model = new PageModel(BASE);
      model.learn(page);
      const [, intercept] = model.numbers();
      return [intercept, ...[...KEYS].map((key) => (model.learnt(key) ?? 0) - (key === BASE ? 1 : 0))];
    };
    const lossOf = ({ features, labels, offsets }: LearningPage, weights: readonly number[]): number => {
      let loss = 0;
      for (let item = 0; item < labels.length; item++) {
        let logit = weights[0] + offsets[item];
        for (let key = 0; key < KEYS.length; key++) {
          const byte = features[item * KEYS.length + key];
          logit += weights[1 + key] * (key === 0 ? SCORE_FEATURES[byte] : SIGNAL_FEATURES[byte]);
        }
        loss += Math.log1p(Math.exp(logit)) - labels[item] * logit;
      }
      return loss;
    };
    check(50, [aPage], (given) => {
      const page = { ...given, weight: 1 };
      const moves = learns(page);
      const start = [0, 1, 0, 0];
      for (const [at, move] of moves.entries()) {
        const nudged = (by: number) => start.map((weight, other) => (other === at ? weight + by : weight));
        const slope = (lossOf(page, nudged(1e-5)) - lossOf(page, nudged(-1e-5))) / 2e-5;
        if (Math.abs(slope) > 1e-3) expect(Math.sign(move)).toBe(-Math.sign(slope));
        // Of two slopes, the greater one moves its weight further.
        for (const [other, its_move] of moves.entries()) {
          const its_slope =
            (lossOf(
              page,
              start.map((w, i) => (i === other ? w + 1e-5 : w)),
            ) -
              lossOf(
                page,
                start.map((w, i) => (i === other ? w - 1e-5 : w)),
              )) /
            2e-5;
          if (Math.abs(slope) > Math.abs(its_slope) + 1e-3)
            expect(Math.abs(move)).toBeGreaterThanOrEqual(Math.abs(its_move) - 1e-9);
        }
      }
    });
  });

  test('continues from its numbers to the bit', () => {
    check(40, [somePages, somePages], (before, after) => {
      const whole = taught([...before, ...after]);
      const restored = new PageModel(BASE);
      for (const page of planted([1, 1, 1], 0, 3)) restored.learn(page);
      const numbers = taught(before).numbers();
      expect(restored.restore(Float64Array.from([...numbers, 9, 9]))).toBe(numbers.length);
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
        expect(Math.abs(weight - former[at])).toBeLessThan(0.2);
        expect(Math.abs(weight - (at === 1 ? 1 : 0))).toBeLessThanOrEqual(4);
      }
    });
  });

  test('learns nothing from a page of weight 0, and does not count pages without an act', () => {
    const [page] = planted([1, 1, 1], 0, 1);
    const model = taught([{ ...page, weight: 0 }]);
    expect(model.pages).toBe(1);
    expect(model.learnt(KEYS[1])).toBe(0);
    model.learn({ ...page, labels: page.labels.map(() => 0) });
    expect(model.pages).toBe(1);
  });

  test('leaves keys beyond its maximum at 0', () => {
    const model = new PageModel(BASE);
    for (let key = 2; key < 202; key++)
      model.learn({ ...planted([1], 0, 1)[0], keys: Uint32Array.of(BASE, key, key + 1000) });
    expect(model.learnt(201)).toBeUndefined();
    expect(model.numbers().length).toBe(4 + 3 * 128);
  });
});
