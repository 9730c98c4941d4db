import { TEST_NOW, testFilter } from 'feedloom/plugin/testing';
import { builtIn, sentences } from '../built-in.ts';

/** Labels of others. What the lists refuse is in lists.test.ts. */

const label = (fields: Record<string, unknown>) =>
  ({ kind: 'label', record: { labeler_id: 'mod', value: 'spam', ...fields } }) as const;

const world = {
  items: {
    own: { author_id: 'ann' },
    negated: {},
    over: {},
    'of an author': { author_id: 'bob' },
    plain: {},
  },
  records: [
    label({ item_id: 'own' }),
    label({ item_id: 'own', labeler_id: 'other', value: '!warn' }),
    label({ item_id: 'negated', timestamp: TEST_NOW - 2 }),
    label({ item_id: 'negated', timestamp: TEST_NOW - 1, action: 'remove' }),
    label({ item_id: 'over', expires_at: TEST_NOW }),
    label({ user_id: 'bob', expires_at: TEST_NOW + 1 }),
  ],
};

testFilter(builtIn, 'labeled', {
  ...world,
  cases: sentences({
    'keeps items with one of the labels, or whose author has it, while it stands': [
      [['mod/spam'], ['own', 'of an author']],
      [['*/spam'], ['own', 'of an author']],
      [['*/!warn'], ['own']],
      [['mod/!warn'], []],
      [
        ['unheard of/spam', 'other/!warn', 'mod/spam'],
        ['own', 'of an author'],
      ],
    ],
  }),
});

testFilter(builtIn, 'remove_labeled', {
  ...world,
  cases: sentences({
    'drops items with one of the labels, or whose author has it, while it stands': [
      [['mod/spam'], ['negated', 'over', 'plain']],
      [['other/!warn'], ['negated', 'over', 'of an author', 'plain']],
    ],
  }),
});
