import type { Random } from '../../src/clock.ts';
import type { WalletEventType } from '../../src/model/acts.ts';
import { indexOfShare, pick, STREAM, skewedIndex, stream } from './chance.ts';

/**
 * Sample wallets with tokens and NFTs. There are a few interests, each with some collections. Wallets mostly stay
 * with
 * their own interest. Addresses are clearly artificial: they count from 0 with leading zeros.
 */

export interface WalletOptions {
  seed: number;
  chain: string;
  /** The latest time of events, in seconds. */
  now: number;
  days: number;
  wallets: number;
  events: number;
}

/** The wallets of `feedloom demo`. */
export const DEMO_WALLETS = { seed: 7, days: 30, wallets: 400, events: 8_000 } as const;

const TASTES = ['meadow', 'harbour', 'orbit', 'paper', 'circuit', 'garden'] as const;
const COLLECTIONS_PER_TASTE = 5;
const NFTS_PER_COLLECTION = 12;
const TOKENS_PER_TASTE = 2;
/** The share of a wallet's events within its interest. */
const OWN_TASTE = 0.8;
/** The share of events on tokens. */
const TOKEN_SHARE = 0.25;
const SECONDS_PER_DAY = 86_400;

const KINDS: readonly WalletEventType[] = [
  'mint',
  'buy',
  'swap',
  'like',
  'view',
  'bid',
  'list',
  'sell',
  'transfer',
  'burn',
];
const SHARES = [0.42, 0.14, 0.06, 0.14, 0.1, 0.05, 0.03, 0.03, 0.02, 0.01];
const HELD: ReadonlySet<WalletEventType> = new Set(['list', 'sell', 'transfer', 'burn']);

function address(space: string, n: number): string {
  return `0x${(space + n.toString(16).padStart(4, '0')).padStart(40, '0')}`;
}

export const walletAddress = (n: number): string => address('a', n);
const tokenId = (chain: string, n: number): string => `${chain}.${address('c', n)}`;
const nftId = (chain: string, collection: number, n: number): string =>
  `${chain}.${address('d', collection)}.${n}`;

export interface SampleEvent {
  wallet_address: string;
  item_id: string;
  event_type: WalletEventType;
  timestamp: number;
}

/** All tokens and NFTs as catalog records. */
export function* sampleCatalog({
  seed,
  chain,
  now,
  days,
}: WalletOptions): Generator<Record<string, unknown>> {
  const random = stream(seed, STREAM.wallets + 1);
  const created_at = Math.floor(now - days * SECONDS_PER_DAY);
  for (const [taste, name] of TASTES.entries()) {
    for (let token = 0; token < TOKENS_PER_TASTE; token++) {
      const n = taste * TOKENS_PER_TASTE + token;
      yield { item_id: tokenId(chain, n), created_at, ...tokenFields(name, token, random) };
    }
    for (let of_taste = 0; of_taste < COLLECTIONS_PER_TASTE; of_taste++) {
      const collection = taste * COLLECTIONS_PER_TASTE + of_taste;
      for (let n = 0; n < NFTS_PER_COLLECTION; n++) {
        yield { item_id: nftId(chain, collection, n), created_at, ...nftFields(name, of_taste, n, random) };
      }
    }
  }
}

function tokenFields(taste: string, token: number, random: Random): Record<string, unknown> {
  const name = `${capital(taste)} ${token === 0 ? 'Coin' : 'Credit'}`;
  const dollars = (random() * 10).toFixed(2);
  return {
    name,
    symbol: `${taste.slice(0, 3).toUpperCase()}${token === 0 ? '' : 'C'}`,
    decimals: 18,
    supply: `${Math.floor(1 + random() * 999)}000000000000000000000000`,
    holder_count: Math.floor(random() * 5_000),
    prices: [
      {
        marketplace_id: 'sample-exchange',
        marketplace_name: 'Sample Exchange',
        value_usd_cents: Math.round(Number(dollars) * 100),
        value_usd_string: dollars,
        value_usd_string_high_precision: `${dollars}${Math.floor(random() * 1e9)}`,
        liquidity_usd_string: (random() * 1e6).toFixed(2),
      },
    ],
  };
}

function nftFields(taste: string, of_taste: number, n: number, random: Random): Record<string, unknown> {
  const collection_name = `${capital(taste)} ${['Days', 'Nights', 'Studies', 'Friends', 'Maps'][of_taste]}`;
  return {
    name: `${collection_name} #${n}`,
    description: `Number ${n} of ${NFTS_PER_COLLECTION} from ${collection_name}.`,
    image_url: `https://example.com/${taste}/${of_taste}/${n}.png`,
    collection_name,
    attributes: [
      { trait_type: 'background', value: pick(random, ['blue', 'green', 'ochre', 'grey']) },
      { trait_type: 'edition', value: n },
    ],
    creator: address('e', of_taste),
  };
}

function capital(word: string): string {
  return word[0].toUpperCase() + word.slice(1);
}

/** The events of the wallets, in order of time. */
export function* sampleEvents(options: WalletOptions): Generator<SampleEvent> {
  const { seed, now, days, wallets, events } = options;
  const random = stream(seed, STREAM.wallets);
  const held = Array.from({ length: wallets }, () => new Set<string>());
  const begin = now - days * SECONDS_PER_DAY;
  for (let event = 0; event < events; event++) {
    const wallet = skewedIndex(random, wallets, 1.6);
    let event_type = KINDS[indexOfShare(random(), SHARES)];
    if (HELD.has(event_type) && held[wallet].size === 0) event_type = 'mint';
    const item_id = HELD.has(event_type)
      ? pick(random, [...held[wallet]])
      : wanted(wallet, (event / events) * COLLECTIONS_PER_TASTE, options.chain, random);
    if (event_type === 'mint' || event_type === 'buy' || event_type === 'swap') held[wallet].add(item_id);
    else if (event_type !== 'list' && HELD.has(event_type)) held[wallet].delete(item_id);
    const timestamp = Math.round((begin + ((event + random()) / events) * (now - begin - 1)) * 1000) / 1000;
    yield { wallet_address: walletAddress(wallet), item_id, event_type, timestamp };
  }
}

/** Draws an item for a wallet. Collections become popular one after another. @param fashion a number from 0 up */
function wanted(wallet: number, fashion: number, chain: string, random: Random): string {
  const own = wallet % TASTES.length;
  const taste = random() < OWN_TASTE ? own : Math.floor(random() * TASTES.length);
  if (random() < TOKEN_SHARE)
    return tokenId(chain, taste * TOKENS_PER_TASTE + skewedIndex(random, TOKENS_PER_TASTE, 1.5));
  const of_taste = random() < 0.6 ? Math.floor(fashion) : Math.floor(random() * COLLECTIONS_PER_TASTE);
  const n = skewedIndex(random, NFTS_PER_COLLECTION, 1.8);
  return nftId(chain, taste * COLLECTIONS_PER_TASTE + of_taste, n);
}
