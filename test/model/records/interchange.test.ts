import { describe, expect, test } from 'bun:test';
import { parseEngagement, parseImpression } from '../../../src/model/records/index.ts';
import { accepted, pathsOf } from './support.ts';

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
