import { describe, expect } from 'bun:test';
import { NONE } from '../../../src/model/key.ts';
import { type Community, testCommunity as it, whileReading } from '../support.ts';

describe('a viewer known by wallet', () => {
  it('a viewer named by wallet is the user who listed the address, in any case', async (community) => {
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

  it('the wallet is ignored next to a user_id', async (community) => {
    await community.add('users', { user_id: 'owner', wallet_addresses: ['0x12'] });
    await community.addItem('item');
    await community.act('owner', 'like', 'item');
    expect(await community.ids('popular', { wallet_address: '0x12' })).toEqual([]);
    expect(await community.ids('popular', { wallet_address: '0x12', user_id: 'other' })).toEqual(['item']);
  });

  it('a wallet that no user listed is a viewer without history, and records nothing', async (community) => {
    await community.addItem('item');
    const before = community.seq;
    for (let times = 0; times < 2; times++) {
      expect(await community.ids('for-you', { wallet_address: '0x99', impression_count: 5 })).toEqual([
        'item',
      ]);
    }
    expect(community.seq).toBe(before);
  });

  it('the viewer changes with the list of addresses', async (community) => {
    await community.addItem('item');
    await community.act('owner', 'like', 'item');
    await community.add('users', { user_id: 'owner', wallet_addresses: ['0x12'] });
    expect(await community.ids('popular', { wallet_address: '0X12' })).toEqual([]);
    await community.add('users', { user_id: 'owner', wallet_addresses: [] });
    expect(await community.ids('popular', { wallet_address: '0x12' })).toEqual(['item']);
  });
});

describe('a viewer known by wallet whose request waits its turn', () => {
  const WALLET = { wallet_address: '0x12', impression_count: 2, top_k: 2 };

  /** Asks twice, and does something while the second request waits for the first. */
  async function waiting(
    community: Community,
    happens: () => Promise<void>,
  ): Promise<{ pages: string[][]; named: () => boolean }> {
    for (const id of ['a', 'b', 'c', 'd']) await community.addItem(id);
    await community.add('users', { user_id: 'owner', wallet_addresses: [WALLET.wallet_address] });
    const ask = () => community.ids('popular', { ...WALLET, return_metadata: true });
    let second: Promise<string[]> | undefined;
    const first = await whileReading(community, ask, async () => {
      second = ask();
      // A later request that is not queued.
      await community.ids('popular', {});
      await happens();
    });
    const { names } = community.server.service.state.users;
    return { pages: [first, await second!], named: () => names.find('owner') !== NONE };
  }

  it('a queued request of a wallet does not repeat what the previous one showed', async (community) => {
    const { pages } = await waiting(community, async () => {});
    expect(new Set(pages.flat()).size).toBe(4);
    expect(await community.ids('popular', { user_id: 'owner' })).toEqual([]);
  });

  it('a queued request of a wallet does not bring back its erased user', async (community) => {
    const { pages, named } = await waiting(community, () => community.remove('users', 'owner'));
    expect(pages[1]).toEqual(pages[0]);
    expect(named()).toBe(false);
    expect(await community.ids('popular', { user_id: 'owner' })).toHaveLength(4);
  });

  it('a queued request of a wallet is for the user who lists the address by then, and is recorded for that user', async (community) => {
    const { pages } = await waiting(community, async () => {
      await community.add('users', { user_id: 'owner', wallet_addresses: [] });
      await community.act('next', 'like', 'a');
      await community.add('users', { user_id: 'next', wallet_addresses: [WALLET.wallet_address] });
    });
    expect(pages[1]).toHaveLength(2);
    expect(pages[1]).not.toContain('a');
    expect(await community.ids('popular', { user_id: 'next' })).toHaveLength(1);
    expect(await community.ids('popular', { user_id: 'owner' })).toHaveLength(2);
  });
});
