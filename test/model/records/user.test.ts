import { describe, expect, test } from 'bun:test';
import { parseUser } from '../../../src/model/records/index.ts';
import { accepted, pathsOf } from './support.ts';

describe('a user record', () => {
  test('with every field becomes a profile', () => {
    const given = {
      user_id: 2,
      username: 'v',
      display_name: 'Violet',
      pfp_url: 'https://example.com/v.png',
      geo_location: '1,2',
      wallet_addresses: ['0xAB', '0xab', '0xCD'],
      created_at: 1700000000,
      hidden: false,
      metadata: { plan: 'pro' },
    };
    const { user_id: _, ...profile } = given;
    expect(accepted(parseUser(given))).toStrictEqual({
      user_id: '2',
      content: { ...profile, wallet_addresses: ['0xab', '0xcd'] },
    });
  });

  test('ignores null and absent fields, and removes empty ones', () => {
    const record = accepted(parseUser({ user_id: 'a', username: null, display_name: '', geo_location: '' }));
    expect(Object.keys(record.content)).toEqual(['display_name', 'geo_location']);
    expect(JSON.stringify({ username: 'v', display_name: 'd', ...record.content })).toBe('{"username":"v"}');
  });

  test.each([
    { user_id: null },
    { user_id: '' },
    { username: 7 },
    { display_name: ['x'] },
    { pfp_url: 7 },
    { geo_location: [1, 2] },
    { wallet_addresses: '0xab' },
    { created_at: '1700000000' },
    { hidden: 'true' },
    { metadata: 'x' },
  ])('%j is refused with the path of the field', (fields) => {
    expect(pathsOf(parseUser({ user_id: 'a', ...fields }))).toEqual([`/${Object.keys(fields)[0]}`]);
  });

  test('names the invalid wallet', () => {
    expect(pathsOf(parseUser({ user_id: 'a', wallet_addresses: ['0xab', 7] }))).toEqual([
      '/wallet_addresses/1',
    ]);
  });
});
