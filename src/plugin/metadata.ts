import type { Static, TSchema } from '@sinclair/typebox';

/** The price of a token at one marketplace. */
export interface TokenPrice {
  marketplace_id: string;
  marketplace_name: string;
  value_usd_cents: number;
  /** A decimal number as text. The next two fields have the same form. */
  value_usd_string: string;
  value_usd_string_high_precision: string;
  liquidity_usd_string: string;
}

/** One trait of an NFT. */
export interface NftAttribute {
  trait_type: string;
  value: string | number | boolean;
}

/** Metadata of a token. */
export interface TokenMetadata {
  name: string;
  symbol: string;
  decimals: number;
  chain: string;
  prices: TokenPrice[];
  holder_count: number;
  /** An integer as text, since it may exceed 2^53. */
  supply: string;
  /** An ISO 8601 time. */
  created_date: string;
}

/** Metadata of an NFT. */
export interface NftMetadata {
  name: string;
  description: string;
  image_url: string;
  collection_name: string;
  attributes: NftAttribute[];
  creator: string;
  chain: string;
  contract_address: string;
  token_id: string;
}

/** The fields that a provider knows of a token or NFT, as plain JSON. `{}` if it knows none. */
export type Metadata = Partial<TokenMetadata> | Partial<NftMetadata>;

/**
 * Provides names, images and prices of tokens and NFTs for the alpha API.
 *
 * It is called for the items of a page after the page was built. It may use the network, but the page waits only for
 * a short time.
 */
export interface MetadataProvider<O extends TSchema = TSchema> {
  /** One sentence, shown in the list of plugins. */
  summary: string;
  /**
   * TypeBox schema of the options. Each option needs a default, because no configuration sets them.
   *
   * Options named `url`, `key_header` and `key` are taken from the service's metadata settings.
   */
  options: O;
  /**
   * @returns one entry per identifier (`<chain>.<contract>` or `<chain>.<contract>.<token_id>`), in the same order.
   * `{}` is an unknown item, and an `Error` one that cannot be described: it is logged, and requested again after
   * growing pauses. Reject only if the source gave no answer for any of them (timeout, connection, 5xx, 429): none of
   * them has metadata then, and repeated failures suspend the calls.
   */
  compile(options: Static<O>): (item_ids: readonly string[]) => Promise<(Metadata | Error)[]>;
}
