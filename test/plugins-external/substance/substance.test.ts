import { testScoringFunction, testSignal } from 'feedloom/plugin/testing';
import plugin from './substance';

const items = {
  essay: { text: 'x'.repeat(500) },
  note: { text: 'x'.repeat(140) },
  picture: { publication_types: ['images'] },
  both: { text: 'x'.repeat(280), publication_types: ['image'] },
  empty: {},
};

testSignal(plugin, 'acme/substance', {
  items,
  cases: [
    {
      name: 'adds text and picture',
      expect: { essay: 0.7, note: 0.35, picture: 0.3, both: 1, empty: 0 },
    },
  ],
});

testScoringFunction(plugin, 'acme/substance_v1.0.0', {
  items,
  cases: [
    {
      name: 'weighs substance against popularity',
      signals: { popular: { empty: 1 } },
      options: { share: 0.25 },
      expect: { both: 0.25, empty: 0.75 },
    },
  ],
});
