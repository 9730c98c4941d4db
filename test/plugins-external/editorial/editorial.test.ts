import { testScoringFunction } from 'feedloom/plugin/testing';
import plugin from './editorial';

const popular = { launch: 0.5, other: 0.5, plain: 0.5, shrill: 0.5 };

testScoringFunction(plugin, 'acme/editorial_v1.0.0', {
  items: {
    launch: { author_id: 'house' },
    other: { author_id: 'house' },
    plain: { author_id: 'ann' },
    shrill: { author_id: 'noisy' },
  },
  signals: { popular },
  cases: [
    {
      name: 'multiplies what the editors say of an item and of its author',
      expect: { launch: 0.45, other: 0.15, plain: 0.1, shrill: 0.05 },
    },
    {
      name: 'listens to them as much as the feed says',
      signals: { popular, interest_all: { plain: 1 } },
      options: { strength: 0 },
      expect: { launch: 0.1, plain: 0.6, shrill: 0.1 },
    },
  ],
  refuses: [{ strength: 2 }, { strength: 'full' }, { boost: 1 }],
});
