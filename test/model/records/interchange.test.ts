import { describe, expect, test } from 'bun:test';
import { parseEngagement, parseImpression } from '../../../src/model/records/index.ts';
import { accepted, faultsOf, pathsOf } from './support.ts';

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
    expect(pathsOf(parseEngagement({ item_id: 'i', likes_count: 1 }))).toEqual(['/timestamp']);
    const counts = { likes_count: -1, comments_count: 2 };
    expect(parseEngagement({ item_id: 'i', timestamp: 5, ...counts })).toMatchObject({
      record: { comments_count: 2 },
      warnings: [expect.stringMatching(/^likes_count: was dropped; .*; got -1$/)],
    });
    const { message } = faultsOf(parseEngagement({ item_id: 'i', timestamp: 5, likes_count: -1 }))[0];
    expect(message).toMatch(/^expected at least one of .*; likes_count: was dropped; .*; got -1$/);
  });
});
