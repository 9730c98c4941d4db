import { describe, expect, test } from 'bun:test';
import { EVENT_TYPES } from '../../../src/model/acts.ts';
import { parseBlock, parseFollow, parseInteraction } from '../../../src/model/records/index.ts';
import { accepted, faultsOf, pathsOf } from './support.ts';

describe('a follow record', () => {
  test('is a follow by default', () => {
    expect(accepted(parseFollow({ user_id: 1, target_user_id: 'b' }))).toStrictEqual({
      user_id: '1',
      target_user_id: 'b',
      action: 'follow',
    });
    const given = { user_id: 'a', target_user_id: 'b', timestamp: '1970-01-02', action: 'unfollow' };
    expect(accepted(parseFollow(given))).toStrictEqual({ ...given, timestamp: 86400, action: 'unfollow' });
  });

  test.each([
    [{}, ['/user_id', '/target_user_id']],
    [{ user_id: 'a', target_user_id: 'a' }, ['/target_user_id']],
    [{ user_id: 12, target_user_id: '12' }, ['/target_user_id']],
    [{ user_id: 'a', target_user_id: 'b', action: 'block' }, ['/action']],
    [{ user_id: 'a', target_user_id: 'b', action: 'constructor' }, ['/action']],
    [{ user_id: 'a', target_user_id: 'b', action: true }, ['/action']],
    [{ user_id: 'a', target_user_id: 'b', timestamp: -5 }, ['/timestamp']],
  ])('%j is refused at %j', (value, paths) => expect(pathsOf(parseFollow(value))).toEqual(paths));
});

describe('a block record', () => {
  test('is a block by default, and may have a time and an event', () => {
    const record = { user_id: 'a', target_user_id: 'b', action: 'block' as const };
    expect(accepted(parseBlock({ user_id: 'a', target_user_id: 'b' }))).toEqual(record);
    const dated = { ...record, timestamp: 5, event_id: 'e' };
    expect(accepted(parseBlock(dated))).toEqual(dated);
    const ended = { ...record, action: 'unblock' as const };
    expect(accepted(parseBlock(ended))).toEqual(ended);
  });

  test('of an event alone takes the block back', () => {
    const removal = { user_id: 'a', event_id: 'e', action: 'unblock' };
    expect(accepted(parseBlock(removal))).toEqual({ space: 'block', user_id: 'a', event_id: 'e' });
    expect(pathsOf(parseBlock({ ...removal, action: 'block' }))).toEqual(['/target_user_id']);
  });

  test('of the own user is refused', () => {
    expect(pathsOf(parseBlock({ user_id: 'a', target_user_id: 'a' }))).toEqual(['/target_user_id']);
  });
});

describe('an interaction record', () => {
  const minimal = { user_id: 'u', item_id: 'i', event_type: 'like' };

  test('is added by default', () => {
    expect(accepted(parseInteraction(minimal))).toEqual({
      user_id: 'u',
      item_id: 'i',
      event_type: 'like',
      action: 'add',
    });
  });

  test('keeps its time and the identifier of its event', () => {
    const given = {
      user_id: 7,
      item_id: 'i',
      event_type: 'comment',
      timestamp: 5.5,
      action: 'remove',
      event_id: 9,
    };
    expect(accepted(parseInteraction(given))).toEqual({
      user_id: '7',
      item_id: 'i',
      event_type: 'comment',
      timestamp: 5.5,
      action: 'remove',
      event_id: '9',
    });
  });

  test.each([...EVENT_TYPES])('may be a %s', (event_type) => {
    expect(accepted(parseInteraction({ ...minimal, event_type })).event_type).toBe(event_type);
  });

  test.each([
    { user_id: undefined },
    { item_id: 7.5 },
    { event_type: 'LIKE' },
    { event_type: 'likes' },
    { event_type: '' },
    { event_type: 1 },
    { event_type: '__proto__' },
    { timestamp: '5' },
    { timestamp: 1e12 },
    { action: 'follow' },
    { event_id: '' },
    { event_id: 2 ** 60 },
    { event_id: 'x'.repeat(257) },
  ])('%j is refused with the path of the field', (fields) => {
    expect(pathsOf(parseInteraction({ ...minimal, ...fields }))).toEqual([`/${Object.keys(fields)[0]}`]);
  });

  test('of an unknown type is refused with the known types', () => {
    expect(faultsOf(parseInteraction({ ...minimal, event_type: 'love' }))).toEqual([
      {
        path: '/event_type',
        message: 'expected one of view, like, comment, share, bookmark, hide, report; got "love"',
      },
    ]);
  });
});
