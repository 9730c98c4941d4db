import { testScoringFunction, testSignal } from 'feedloom/plugin/testing';
import plugin from './substance';

const items = [
  { item_id: 'essay', text: 'x'.repeat(500) },
  { item_id: 'note', text: 'x'.repeat(140) },
  { item_id: 'picture', publication_types: ['images'] },
  { item_id: 'both', text: 'x'.repeat(280), publication_types: ['image'] },
  { item_id: 'empty' },
];

testSignal(plugin, 'acme/substance', {
  cases: [
    {
      name: 'adds text and picture',
      items,
      values: { essay: 0.7, note: 0.35, picture: 0.3, both: 1, empty: 0 },
    },
  ],
});

testScoringFunction(plugin, 'acme/substance_v1.0.0', {
  cases: [
    {
      name: 'weighs substance against popularity',
      items,
      signals: { popular: { empty: 1 } },
      options: { share: 0.25 },
      scores: { both: 0.25, empty: 0.75 },
    },
  ],
});
