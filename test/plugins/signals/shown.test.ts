import { TEST_NOW, testSignal } from 'feedloom/plugin/testing';
import { acts, builtIn } from '../built-in.ts';

/** Signals of what viewers were shown. */

const created_at = TEST_NOW - 3_600;
const shown = Object.fromEntries(
  ['a1', 'a2', 'a3', 'b1'].map((id) => [id, { author_id: id[0], channel: `c${id[0]}`, created_at }]),
);
const next = {
  'of a': { author_id: 'a', created_at },
  'in ca': { author_id: 'x', channel: 'ca', created_at },
  'of b': { author_id: 'b', created_at },
  other: { author_id: 'x', created_at },
};
const seen = ['a1', 'a2', 'a3', 'b1'];
const NONE = { 'of a': 0, 'in ca': 0, 'of b': 0, other: 0 };

testSignal(builtIn, 'fatigue', {
  items: { ...shown, ...next },
  viewer: 'v',
  users: { v: { seen } },
  cases: [
    {
      name: 'counts the shown items of the author or channel, n / (n + 10)',
      expect: { 'of a': 3 / 13, 'in ca': 3 / 13, 'of b': 1 / 11, other: 0 },
    },
    {
      name: 'is 0 where an act makes up for what was ignored',
      interactions: acts('v', 'like', 'a2'),
      expect: { ...NONE, 'of b': 1 / 11 },
    },
    {
      name: 'counts what labels have in common',
      items: {
        l1: { ai_labels: { art: 1 }, created_at },
        l2: { ai_labels: { art: 0.5 }, created_at },
        l3: { ai_labels: { art: 0.9 }, created_at },
      },
      users: { v: { seen: ['l1', 'l2'] } },
      expect: { l1: 1.5 / 11.5, l2: 1.5 / 11.5, l3: 1.5 / 11.5 },
    },
    { name: 'is 0 without a viewer', viewer: undefined, expect: NONE },
    { name: 'is 0 for a viewer without pages', viewer: 'w', expect: NONE },
    {
      name: 'is 0 for a viewer who is not to be observed',
      users: { v: { seen, preferences: { personalised: false } } },
      expect: NONE,
    },
  ],
});

testSignal(builtIn, 'click_rate', {
  items: next,
  cases: [
    {
      name: 'is one in twenty as long as nothing was shown',
      expect: { 'of a': 0.05, 'in ca': 0.05, 'of b': 0.05, other: 0.05 },
    },
  ],
});
