import { expect, test } from 'bun:test';
import affinity_bias from '../../plugins/scoring/balanced_feed_affinity_bias_v0.0.1.ts';
import interest_bias from '../../plugins/scoring/balanced_feed_interest_bias_v0.0.1.ts';
import balanced from '../../plugins/scoring/balanced_feed_v0.0.1.ts';
import affinity_all from '../../plugins/signals/affinity_all.ts';
import interest_all from '../../plugins/signals/interest_all.ts';
import profile from '../../plugins/signals/profile.ts';
import semantic_interest from '../../plugins/signals/semantic_interest.ts';
import hidden from '../../plugins/visibility/hidden.ts';
import { seededRandom } from '../../src/clock.ts';
import { HALF_LIFE_HOURS } from '../../src/feeds/compile-feed.ts';
import { LOOKED_AT, NEW_ENGAGEMENT, NEW_SECONDS, SHORTEST_PAGE } from '../../src/page/exploration.ts';
import type { RequestContext } from '../../src/plugin/index.ts';
import { SETTINGS } from '../../src/settings.ts';
import { PRIOR_ACTS } from '../../src/signals/dislikes.ts';
import { COLUMN_WEIGHT } from '../../src/signals/profile.ts';
import { HORIZON } from '../../src/state/trend.ts';
import { APPROVAL_INTEREST_MIN, CONTENT } from '../../src/state/vocabulary.ts';
import { blocksOf, document } from './markdown.ts';

/** The numbers of docs/ranking.md are those of the code. */

const DOCUMENT = document('docs/ranking.md');
const lines = new Set(DOCUMENT.text.split('\n'));
const prose = DOCUMENT.text.replace(/\s+/g, ' ');

const SIGNALS = ['interest_all', 'profile', 'semantic_interest', 'momentum', 'affinity_all', 'dislike'];
type Values = Record<string, number>;

/** The score that a built-in function gives to an item with these signals. */
function scored(scoring: typeof balanced, values: Values): number {
  const request = { signal: (name: string) => () => values[name] } as unknown as RequestContext;
  return scoring.compile({})(request)(0);
}

/** The default of an option of a signal or rule. */
function defaultOf(extension: { options: { properties: object } }, option: string): number {
  return (extension.options.properties as Record<string, { default: number }>)[option].default;
}

function valuesOf(value: (name: string) => number): Values {
  return Object.fromEntries(SIGNALS.map((name) => [name, value(name)]));
}

test('docs/ranking.md has the formula of the default scoring function', () => {
  const [formula] = blocksOf(DOCUMENT).filter(({ kind }) => kind === 'js balanced_feed_v0.0.1');
  const written = new Function(...SIGNALS, `let score; ${formula.text}; return score;`);
  const random = seededRandom(1);
  for (let round = 0; round < 100; round++) {
    const values = valuesOf(() => random());
    const expected = scored(balanced, values);
    expect(written(...SIGNALS.map((name) => values[name]))).toBeCloseTo(expected, 12);
  }
});

test('docs/ranking.md says by how much each signal alone multiplies a score', () => {
  const none = valuesOf(() => 0);
  for (const name of SIGNALS) {
    const factors = [balanced, interest_bias, affinity_bias].map((scoring) =>
      (scored(scoring, { ...none, [name]: 1 }) / scored(scoring, none)).toFixed(1),
    );
    expect(lines).toContain(`| \`${name}\` | ${factors.join(' | ')} |`);
  }
});

test('docs/ranking.md says what each act counts', () => {
  for (const [code, name] of CONTENT.names.entries()) {
    const effects = {
      interacted: 'the item is not shown again',
      viewed: 'the item counts as seen',
      hidden: 'the item is not shown again, similar items are lowered',
    };
    const effect = effects[CONTENT.effect(code) as keyof typeof effects];
    const counted = CONTENT.isPublic(code) ? 'yes' : 'no';
    expect(lines).toContain(`| \`${name}\` | ${CONTENT.interest[code]} | ${counted} | ${effect} |`);
  }
});

test('docs/ranking.md has the numbers of signals, decay, exploration and cold start', () => {
  const { author, channel, label, app, language } = COLUMN_WEIGHT;
  const numbers = [
    `the viewer's latest ${defaultOf(interest_all, 'history')} acts to users`,
    `of the viewer's latest ${defaultOf(profile, 'history')} acts`,
    `as the viewer's latest ${defaultOf(semantic_interest, 'history')} acts`,
    `The latest ${defaultOf(affinity_all, 'recent')} posts and ${defaultOf(affinity_all, 'recent')} approved`,
    `Of more than ${defaultOf(affinity_all, 'users')} followed users`,
    `an author weighs ${author}, a channel ${channel}, a label ${label}, an app ${app} and a language ${language}`,
    `The ${defaultOf(profile, 'values')} strongest values count, with the newest ${defaultOf(profile, 'newest')} items`,
    `*n* / (*n* + *p* + ${PRIOR_ACTS})`,
    `During the first ${HORIZON / 3600} hours`,
    `an interest of at least ${APPROVAL_INTEREST_MIN} is an approval`,
    `for \`interest_all\` | 1 / (1 + *h* / ${defaultOf(interest_all, 'half_life_hours')})`,
    `the same with ${defaultOf(semantic_interest, 'half_life_hours')} instead`,
    `for \`affinity_all\` | 1 / (1 + *h* / ${defaultOf(affinity_all, 'half_life_hours')})`,
    ...Object.entries(HALF_LIFE_HOURS).map(([name, hours]) => `${hours} hours (\`${name}\`)`),
    `${SETTINGS.exploration_percent.default} % of the slots of a page of at least ${SHORTEST_PAGE} items`,
    `at most ${NEW_SECONDS / 86_400} days old, has fewer than ${NEW_ENGAGEMENT} likes`,
    `the newest ${LOOKED_AT} items`,
    `fewer than ${SETTINGS.cold_start_min_interactions.default} likes, comments, shares and bookmarks`,
    `after ${SETTINGS.cold_start_inactive_days.default} days without one`,
    'Three hidden items of one author within 30 days',
  ];
  expect(numbers.filter((text) => !prose.includes(text))).toEqual([]);
  const hiding = [defaultOf(hidden, 'author_items'), defaultOf(hidden, 'author_days')];
  expect(hiding).toEqual([3, 30]);
});
