import { LIMITS } from '../../limits.ts';
import { FEED_TYPES, type ScoringFunction } from '../../plugin/index.ts';
import type { KindData } from '../kind-data.ts';
import { COMPILE, FUNCTION, optional, READS } from '../member-checks.ts';

const { candidate_limit_min: MIN, candidate_limit_max: MAX } = LIMITS;

export const scoring_functions: KindData<ScoringFunction> = {
  title: 'scoring function',
  versioned: true,
  members: {
    compile: COMPILE,
    reads: READS,
    feeds: optional(
      `must be a list of ${FEED_TYPES.join(', ')}`,
      (feeds) => Array.isArray(feeds) && feeds.every((feed) => FEED_TYPES.includes(feed)),
    ),
    ranked_by: optional('must be the id of a signal', (id) => typeof id === 'string'),
    candidate_limit: optional(
      `must be an integer from ${MIN} to ${MAX}`,
      (limit) => Number.isInteger(limit) && Number(limit) >= MIN && Number(limit) <= MAX,
    ),
    ceiling: FUNCTION,
    parts: FUNCTION,
    signals: FUNCTION,
    learns: FUNCTION,
  },
  problem: ({ learns, ranked_by }) =>
    learns !== undefined && ranked_by !== undefined ? '.learns cannot be used with ranked_by' : undefined,
  usedBy: (id) => `\`"scoring": "${id}"\`, or \`{"name": "${id}", "options": {…}}\``,
  templates: {
    scoring: {
      body: `
summary: 'Interest, with a bonus for new items.',
options: Type.Object(
  { bonus: Type.Number({ minimum: 0, maximum: 1, default: 0.3, description: 'a share from 0 to 1' }) },
  { additionalProperties: false },
),
// Runs once per feed, with the options.
compile:
  ({ bonus }) =>
  (request) => {
    // Runs once per request: reads signals and facts about the viewer.
    const interest = request.signal('interest_all');
    // Runs once per item: a finite number of at least 0, higher is better.
    return (item) => {
      const age_hours = Math.max(0, request.now - request.item.created_at(item)) / 3600;
      return (1 - bonus) * interest(item) + bonus / (1 + age_hours);
    };
  },`,
      tests: `
items: { old: { created_at: TEST_NOW - 36_000 }, new: { created_at: TEST_NOW } },
cases: [
  { name: 'ranks a new item before an old one of the same interest', expect: ['new', 'old'] },
  {
    name: 'ranks by interest alone without a bonus',
    options: { bonus: 0 },
    signals: { interest_all: { old: 0.25 } },
    expect: { old: 0.25, new: 0 },
  },
],
refuses: [{ bonus: 2 }],`,
    },
  },
};
