import type { Random } from '../../../src/clock.ts';
import type { VariantSums } from '../../../src/experiments/statistics/sums.ts';

/** Made viewers of a feed, and their sums as an experiment counts them. */

const TWO_PI = 2 * Math.PI;

/** A normal number with mean 0 and standard deviation 1 (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(TWO_PI * random());
}

/** The number of successes of `count` tries. */
function successes(count: number, probability: number, random: Random): number {
  let found = 0;
  for (let one = 0; one < count; one++) if (random() < probability) found++;
  return found;
}

/** The median probability that a viewer interacts with an impression. A few viewers have ten times as much. */
const LIKELY = 0.08;
const LIKELY_MAX = 0.9;
const TASTE_SD = 0.8;
const POSTS_MIN = 2;
const POSTS_SPAN = 8;
/** The probability that a known viewer comes back on a day. */
const RETURNS = 0.25;

/** The viewers of one variant. They come day by day, and some come back. */
export class Viewers {
  private readonly likely: number[] = [];
  private readonly interactions: number[] = [];
  private readonly impressions: number[] = [];
  private sum = 0;
  private sum_squares = 0;
  private weight_sum = 0;
  private weight_squares = 0;
  private cross_sum = 0;

  /** @param lift by which the variant changes the probability of an interaction */
  constructor(
    private readonly random: Random,
    private readonly lift = 0,
  ) {}

  day(new_count: number): void {
    const { random, likely } = this;
    for (let viewer = 0; viewer < likely.length; viewer++) if (random() < RETURNS) this.visit(viewer);
    for (let one = 0; one < new_count; one++) {
      likely.push(Math.min(LIKELY_MAX, LIKELY * (1 + this.lift) * Math.exp(TASTE_SD * normal(random))));
      this.interactions.push(0);
      this.impressions.push(0);
      this.visit(likely.length - 1);
    }
  }

  private visit(viewer: number): void {
    const w = POSTS_MIN + Math.floor(POSTS_SPAN * this.random());
    const y = successes(w, this.likely[viewer], this.random);
    const w_before = this.impressions[viewer];
    const y_before = this.interactions[viewer];
    this.impressions[viewer] += w;
    this.interactions[viewer] += y;
    this.sum += y;
    this.weight_sum += w;
    this.sum_squares += y * (y + 2 * y_before);
    this.weight_squares += w * (w + 2 * w_before);
    this.cross_sum += (y_before + y) * (w_before + w) - y_before * w_before;
  }

  /** Interactions a viewer. */
  get means(): VariantSums {
    return { viewers: this.likely.length, sum: this.sum, sum_squares: this.sum_squares };
  }

  /** Interactions per impression. */
  get ratios(): VariantSums {
    const { weight_sum, weight_squares, cross_sum } = this;
    return { ...this.means, weight_sum, weight_squares, cross_sum };
  }

  /** The interactions per impression of as many viewers, drawn from these with replacement. */
  drawnAgain(): number {
    let y = 0;
    let w = 0;
    for (let draw = 0; draw < this.likely.length; draw++) {
      const viewer = Math.floor(this.random() * this.likely.length);
      y += this.interactions[viewer];
      w += this.impressions[viewer];
    }
    return y / w;
  }
}
