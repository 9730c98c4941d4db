import { describe, expect, test } from 'bun:test';
import {
  parseEngagement,
  parseFollow,
  parseImpression,
  parseInteraction,
} from '../../../src/model/records/index.ts';
import { INTERACTION } from '../../../src/model/records/interaction.ts';
import { ENGAGEMENT } from '../../../src/model/records/interchange.ts';
import { FOLLOW } from '../../../src/model/records/relation.ts';
import { coerceCsv } from '../../../src/model/values/cells.ts';
import { accepted, pathsOf } from './support.ts';

describe('a row of CSV', () => {
  test('has times and counts as numbers, identifiers as text, and no empty cells', () => {
    const row = {
      item_id: '007',
      timestamp: '1604686251',
      likes_count: '71',
      comments_count: '41.0',
      shares_count: '',
    };
    expect(accepted(parseEngagement(coerceCsv(ENGAGEMENT.cells, row)))).toEqual({
      item_id: '007',
      timestamp: 1604686251,
      likes_count: 71,
      comments_count: 41,
    });
  });

  test.each([
    ['1506826800.026', 1506826800.026],
    ['1.604686251e+09', 1604686251],
    ['2020-11-06T18:10:51Z', 1604686251],
  ])('may have the time %s', (timestamp, expected) => {
    const row = { user_id: '1', target_user_id: '2', timestamp };
    expect(accepted(parseFollow(coerceCsv(FOLLOW.cells, row))).timestamp).toBe(expected);
  });

  test.each(['-1', '1604686251000', '0x5F', 'NaN', ' 5', '5 ', '1,5', '1e999'])(
    'may not have the time %p',
    (timestamp) => {
      const row = { user_id: '1', item_id: 'i', event_type: 'like', timestamp };
      expect(pathsOf(parseInteraction(coerceCsv(INTERACTION.cells, row)))).toEqual(['/timestamp']);
    },
  );

  test('keeps numbers in other columns as text', () => {
    const row = {
      user_id: '1',
      item_id: '2',
      event_type: 'comment',
      timestamp: '3',
      action: '',
      event_id: '4',
    };
    expect(accepted(parseInteraction(coerceCsv(INTERACTION.cells, row)))).toEqual({
      user_id: '1',
      item_id: '2',
      event_type: 'comment',
      timestamp: 3,
      action: 'add',
      event_id: '4',
    });
  });

  test('may have any header', () => {
    const row: Record<string, string> = JSON.parse('{"user_id":"1","__proto__":"x","target_user_id":"2"}');
    expect(parseFollow(coerceCsv(FOLLOW.cells, row))).toMatchObject({
      ok: true,
      warnings: ["unknown field '__proto__' was ignored"],
    });
  });
});

describe('an impression record', () => {
  test('needs all three fields', () => {
    expect(accepted(parseImpression({ user_id: 1, item_id: 'i', timestamp: 5 }))).toEqual({
      user_id: '1',
      item_id: 'i',
      timestamp: 5,
    });
    expect(pathsOf(parseImpression({}))).toEqual(['/user_id', '/item_id', '/timestamp']);
  });
});

describe('an engagement record', () => {
  test('needs at least one count', () => {
    expect(accepted(parseEngagement({ item_id: 'i', timestamp: 5, shares_count: 0 })).shares_count).toBe(0);
    expect(pathsOf(parseEngagement({ item_id: 'i', timestamp: 5 }))).toEqual(['']);
    expect(pathsOf(parseEngagement({ item_id: 'i', likes_count: -1 }))).toEqual([
      '/likes_count',
      '/timestamp',
    ]);
  });
});
