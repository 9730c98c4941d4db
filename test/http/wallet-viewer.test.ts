import { describe, expect, test } from 'bun:test';
import { openCommunity } from './support.ts';

describe('a viewer known by wallet', () => {
  test('is the user who listed the address, in any case', async () => {
    await using community = await openCommunity();
    const address = '0xABCDEF0123456789abcdef0123456789ABCDEF01';
    await community.add('users', { user_id: 'owner', wallet_addresses: [address] });
    await community.addItem('own', { author_id: 'owner' });
    await community.addItem('other');
    const request = { wallet_address: address.toLowerCase(), remove_user_posts_from_feed: true };
    expect(await community.ids('for-you', request)).toEqual(['other']);
    expect(await community.ids('for-you', { ...request, wallet_address: address.toUpperCase() })).toEqual([
      'other',
    ]);
    const [first] = await community.ids('trending', { wallet_address: address, impression_count: 1 });
    expect(await community.ids('popular', { user_id: 'owner' })).not.toContain(first);
    expect(await community.ids('popular', { user_id: 'owner' })).toHaveLength(1);
  });

  test('counts for nothing beside a user_id', async () => {
    await using community = await openCommunity();
    await community.add('users', { user_id: 'owner', wallet_addresses: ['0x12'] });
    await community.addItem('item');
    await community.act('owner', 'like', 'item');
    expect(await community.ids('popular', { wallet_address: '0x12' })).toEqual([]);
    expect(await community.ids('popular', { wallet_address: '0x12', user_id: 'other' })).toEqual(['item']);
  });

  test('is without history and leaves none when nobody listed the address', async () => {
    await using community = await openCommunity();
    await community.addItem('item');
    const before = community.seq;
    for (let times = 0; times < 2; times++) {
      expect(await community.ids('for-you', { wallet_address: '0x99', impression_count: 5 })).toEqual([
        'item',
      ]);
    }
    expect(community.seq).toBe(before);
  });

  test('changes with the list of addresses', async () => {
    await using community = await openCommunity();
    await community.addItem('item');
    await community.act('owner', 'like', 'item');
    await community.add('users', { user_id: 'owner', wallet_addresses: ['0x12'] });
    expect(await community.ids('popular', { wallet_address: '0X12' })).toEqual([]);
    await community.add('users', { user_id: 'owner', wallet_addresses: [] });
    expect(await community.ids('popular', { wallet_address: '0x12' })).toEqual(['item']);
  });
});
