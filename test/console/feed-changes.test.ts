import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { changesOf, changeText, inLines, withChanges } from '../../src/console/app/pages/feeds/diff.ts';
import { check } from '../support/long.ts';

const lines = (from: object, to: object): string[] => inLines(changesOf(from, to)).map(changeText);

test('changes of a feed are lines that name the field, the old value and the new one', () => {
  const before = { name: 'A', config: { filters: { languages: ['en'] }, top_k: 5 } };
  const after = { name: 'B', config: { filters: { languages: ['en', 'de'], replies: 'exclude' } } };
  expect(lines(before, after)).toEqual([
    'name: A → B',
    'filters.languages: en → en, de',
    'filters.replies: not set → exclude',
    'top_k: 5 → not set',
  ]);
  expect(lines({ config: {} }, { config: { filters: { languages: [] }, time_decay: '' } })).toEqual([
    'filters.languages: not set → none',
    'time_decay: not set → empty',
  ]);
});

test('changes of labels, scores and promotions have no JSON in them', () => {
  const labels = { ai_labels: ['art', { label: 'music', threshold: 0.8 }] };
  const promoted_items = [{ item_id: '0x1', rank: 2 }];
  const promotion = { promotion_type: 'items', promotion_name: 'p', promoted_items };
  const after = { filters: labels, scoring: { name: 'w', options: { weights: { a: 1 } } } };
  expect(lines({ config: {} }, { config: { ...after, promotion_filters: [promotion] } })).toEqual([
    'filters.ai_labels: not set → art, music threshold 0.8',
    'scoring.name: not set → w',
    'scoring.options.weights.a: not set → 1',
    'promotion_filters.0.promotion_type: not set → items',
    'promotion_filters.0.promotion_name: not set → p',
    'promotion_filters.0.promoted_items: not set → 0x1 rank 2',
  ]);
});

test('changes that are made in the version from which they were computed give the other version', () => {
  const key = fc.constantFrom('a', 'b', 'c');
  const { tree } = fc.letrec<{ tree: Record<string, unknown>; value: unknown }>((tie) => ({
    tree: fc.dictionary(key, tie('value'), { noNullPrototype: true }),
    value: fc.oneof({ maxDepth: 4 }, fc.integer(), fc.array(fc.string(), { maxLength: 2 }), tie('tree')),
  }));
  check(100, [tree, tree], (from, to) => {
    expect(withChanges(from, changesOf(from, to))).toEqual(to);
  });
});
