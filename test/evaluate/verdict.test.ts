import { describe, expect, test } from 'bun:test';
import { type Random, seededRandom } from '../../src/clock.ts';
import { Scoreboard } from '../../src/evaluate/scoreboard.ts';
import { spoken, verdictOf } from '../../src/evaluate/verdict.ts';

/** The probability that a page of a user has what the user did next: for each recommender, the first one first. */
type Truth = (random: Random) => readonly number[];

interface Community {
  users: number;
  /** The number of pages of a user. */
  pagesOf(random: Random): number;
  truth: Truth;
}

/** The scores of simulated pages: one is good or bad at random, and hits of one user depend on each other. */
function simulated({ users, pagesOf, truth }: Community, random: Random) {
  const names = truth(seededRandom(0)).map((_, index) => `feed_${index + 1}`);
  const contestants = names.map((name) => ({ name, request: {} }));
  const board = new Scoreboard('replay', contestants, [], 20);
  for (let unit = 0; unit < users; unit++) {
    const rates = truth(random);
    for (let page = pagesOf(random); page > 0; page--) {
      // What both find or both miss.
      const luck = random();
      for (const [index, { score }] of board.served.entries()) {
        const hit = (random() < 0.5 ? luck : random()) < rates[index] ? 1 : 0;
        score.add({ unit, page: [], worth: { hit_rate: hit } }, () => 0);
      }
    }
  }
  return board;
}

const even: Truth = (random) => {
  const taste = random();
  return [0.4 * taste, 0.4 * (1 - taste)];
};
const better =
  (gain: number): Truth =>
  (random) => {
    const taste = 0.2 + 0.2 * random();
    return [taste, taste + gain];
  };

const ONE = () => 1;
const SOME = (random: Random) => 1 + Math.floor(-4 * Math.log(1 - random()));
/** A few users have most of the pages. */
const UNEVEN = (random: Random) => Math.min(300, Math.floor((1 - random()) ** -0.9));

const CLAIM = /^(?:the baseline )?(\S+) finds more of what people did next than (\S+): \+/;

/** How many verdicts of simulated communities claim that the recommender with this name is better. */
function claims(community: Community, runs = 120): { of(name: string): number; share(name: string): number } {
  const random = seededRandom(5);
  const counts = new Map<string, number>();
  for (let run = 0; run < runs; run++) {
    const { verdict } = simulated(community, random).result(run);
    const claimed = CLAIM.exec(verdict)?.[1] ?? 'nothing';
    if (claimed === 'nothing') expect(verdict).toStartWith('It is not known whether ');
    counts.set(claimed, (counts.get(claimed) ?? 0) + 1);
  }
  const of = (name: string) => counts.get(name) ?? 0;
  return { of, share: (name) => of(name) / runs };
}

describe('the verdict on simulated communities with a known truth', () => {
  test.each<[string, Community]>([
    ['100 users with a page each', { users: 100, pagesOf: ONE, truth: even }],
    ['15 users with some pages', { users: 15, pagesOf: SOME, truth: even }],
    ['200 users with some pages', { users: 200, pagesOf: SOME, truth: even }],
    ['100 users with very unequal numbers of pages', { users: 100, pagesOf: UNEVEN, truth: even }],
    ['300 users who rarely find anything', { users: 300, pagesOf: ONE, truth: () => [0.02, 0.02] }],
    ['80 users and the best of ten functions', { users: 80, pagesOf: ONE, truth: () => Array(10).fill(0.3) }],
  ])('says of equally good feeds in at least 95 of 100 cases that it is not known: %s', (what, community) => {
    const right = claims(community).share('nothing');
    console.log(`equally good, ${what}: ${(100 * right).toFixed(1)} % right`);
    expect(right).toBeGreaterThanOrEqual(0.95);
  });

  test.each<[string, Community]>([
    ['200 users with a page each', { users: 200, pagesOf: ONE, truth: better(0.25) }],
    ['150 users with some pages', { users: 150, pagesOf: SOME, truth: better(0.15) }],
    ['400 users with unequal numbers of pages', { users: 400, pagesOf: UNEVEN, truth: better(0.2) }],
  ])('names the feed that is clearly better in at least 95 of 100 cases: %s', (what, community) => {
    const right = claims(community).share('feed_2');
    console.log(`clearly better, ${what}: ${(100 * right).toFixed(1)} % right`);
    expect(right).toBeGreaterThanOrEqual(0.95);
  });

  test.each<[string, number]>([
    ['slightly', 0.02],
    ['somewhat', 0.06],
  ])('never names the worse feed if the other is %s better, though it may not know', (_how, gain) => {
    expect(claims({ users: 60, pagesOf: SOME, truth: better(gain) }).of('feed_1')).toBe(0);
  });
});

describe('the verdict', () => {
  const page = <Name extends string>(board: Scoreboard<Name>, unit: number, hits: readonly number[]) => {
    for (const [index, { score }] of [...board.served, ...board.simple].entries())
      score.add(
        { unit, page: [], worth: { hit_rate: hits[index], ndcg: hits[index], recall: hits[index] } },
        () => 0,
      );
  };
  const verdict = (protocol: 'holdout' | 'trending' | 'alpha', users: readonly (readonly number[])[]) => {
    const baselines = ['popular', 'random'] as const;
    const board = new Scoreboard(protocol, [{ name: 'feed_1', request: {} }], baselines, 20);
    for (const [unit, hits] of users.entries()) page(board, unit, hits);
    return board.result(1).verdict;
  };
  const all = (hits: readonly number[]) => Array.from({ length: 30 }, () => hits);

  test.each<[string, 'holdout' | 'trending' | 'alpha', readonly (readonly number[])[], string]>([
    [
      'compares the only feed with the best baseline',
      'holdout',
      all([1, 0, 0.5]),
      'feed_1 finds more of what people did next than the baseline random: +.500 (+.500 to +.500)',
    ],
    [
      'says that a baseline is better',
      'alpha',
      all([0, 1, 0.5]),
      'the baseline popular finds more of what wallets did next than feed_1: +1.000 (+1.000 to +1.000)',
    ],
    [
      'says what trending feeds do better',
      'trending',
      all([1, 0, 0]),
      'feed_1 ranks what gains most higher than the baseline popular: +1.000 (+1.000 to +1.000)',
    ],
    [
      'knows nothing of a few users, though all of them agree',
      'holdout',
      all([1, 0, 0]).slice(0, 9),
      'It is not known whether feed_1 finds more of what people did next than the baseline popular: their pages differ for only 9 users',
    ],
    [
      'knows nothing of one step',
      'trending',
      all([1, 0, 0]).slice(0, 1),
      'It is not known whether feed_1 ranks what gains most higher than the baseline popular: their pages differ for only 1 step',
    ],
    [
      'knows nothing of equal pages',
      'holdout',
      all([1, 1, 1]),
      'It is not known whether feed_1 finds more of what people did next than the baseline popular: their pages are equally good here',
    ],
  ])('%s', (_what, protocol, users, sentence) => {
    expect(verdict(protocol, users)).toBe(sentence);
  });

  test('the interval of a difference is paired: users who find everything or nothing with both do not widen it', () => {
    const [one, two] = [
      { name: 'feed_1', request: {} },
      { name: 'feed_2', request: {} },
    ];
    const board = new Scoreboard('holdout', [one, two], [], 20);
    for (let unit = 0; unit < 400; unit++) page(board, unit, unit % 16 === 0 ? [0, 1] : [unit % 2, unit % 2]);
    const [first, second] = board.served.map(({ score }) => score);
    const { rows } = board.result(1);
    expect(rows[0].intervals.recall![1]).toBeGreaterThan(rows[1].intervals.recall![0]);
    expect(verdictOf('holdout', first, [second], 1)).toMatch(
      /^feed_2 finds more .* than feed_1: \+\.063 \(\+\.0/,
    );
  });

  test.each<[number, [number, number], string]>([
    [0.021, [0.008, 0.034], '+.021 (+.008 to +.034)'],
    [-0.0004, [-0.0011, 0.0002], '-.0004 (-.0011 to +.0002)'],
    [1, [0.5, 1.25], '+1.000 (+.500 to +1.250)'],
    [0, [0, 0], '+.000 (+.000 to +.000)'],
  ])('a difference of %p has the digits that its interval needs', (value, interval, text) => {
    expect(spoken(value, interval)).toBe(text);
  });
});
