import { testScoringFunction } from 'feedloom/plugin/testing';
import plugin from '../http/learning/learning-plugin.ts';

/** A scoring function that learns, of a plugin that knows nothing but the contract. */

testScoringFunction(plugin, 'acme/learned_v1.0.0', {
  items: { early: { author_id: 'q' }, late: { author_id: 'p' } },
  users: { q: { username: 'queen' }, p: { username: 'pawn' } },
  learnt: { default: 0, 'acme/first_letter': 1 },
  cases: [
    { name: 'orders by weights that a test says were learnt', expect: ['early', 'late'] },
    {
      name: 'orders the other way with the other sign',
      learnt: { default: 0, 'acme/first_letter': -9 },
      expect: ['late', 'early'],
    },
    {
      name: 'has even odds where nothing has a weight',
      learnt: { default: 0 },
      expect: { early: 0.5, late: 0.5 },
    },
  ],
});
