import { expect, test } from 'bun:test';
import {
  chiSquareAbove,
  normalBelow,
  normalQuantile,
} from '../../../src/experiments/statistics/distributions.ts';

/** Expected values: R 4, `pnorm`, `qnorm` and `pchisq(x, df, lower.tail = FALSE)`. */

test.each([
  [0, 0.5],
  [1, 0.8413447460685429],
  [-1, 0.15865525393145705],
  [1.959963984540054, 0.975],
  [-3, 0.0013498980316300946],
  [-6, 9.865876450376981e-10],
  [-10, 7.619853024160527e-24],
  [40, 1],
])('a standard normal variable is below %d with probability %d', (z, probability) => {
  expect(normalBelow(z) / probability).toBeCloseTo(1, 10);
});

test.each([
  [0.5, 0],
  [0.8, 0.8416212335729143],
  [0.975, 1.959963984540054],
  [0.995, 2.5758293035489],
  [0.025, -1.959963984540054],
  [1e-6, -4.753424308822899],
  [0.9999, 3.719016485455709],
])('the normal quantile of %d is %d', (probability, z) => {
  expect(normalQuantile(probability)).toBeCloseTo(z, 10);
});

test.each([
  [0, 3, 1],
  [3.841458820694124, 1, 0.05],
  [5.991464547107979, 2, 0.05],
  [16.91897760462045, 9, 0.05],
  [6.634896601021213, 1, 0.01],
  [0.45493642311957, 1, 0.5],
  [18.3070380532751, 10, 0.05],
  [29.58829844507442, 10, 0.001],
  [0.1, 4, 0.9987908957257497],
])(
  'a chi-square variable is above %d with %d degrees of freedom with probability %d',
  (x, df, probability) => {
    expect(chiSquareAbove(x, df)).toBeCloseTo(probability, 9);
  },
);
