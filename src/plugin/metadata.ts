import type { Static, TSchema } from '@sinclair/typebox';

/** What one marketplace asks for a token. */
export interface TokenPrice {
  marketplace_id: string;
  marketplace_name: string;
  value_usd_cents: number;
  /** A decimal number as text, as are the next two. */
  value_usd_string: string;
  value_usd_string_high_precision: string;
  liquidity_usd_string: string;
}

/** One trait of an NFT. */
export interface NftAttribute {
  trait_type: string;
  value: string | number | boolean;
}

/** What may be known of a token. */
export interface TokenMetadata {
  name: string;
  symbol: string;
  decimals: number;
  chain: string;
  prices: TokenPrice[];
  holder_count: number;
  /** An integer as text: it may be beyond 2^53. */
  supply: string;
  /** ISO 8601. */
  created_date: string;
}

/** What may be known of an NFT. */
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

/** What a provider knows of one token or NFT: any of the fields. Plain JSON; `{}` when it knows nothing. */
export type Metadata = Partial<TokenMetadata> | Partial<NftMetadata>;

/**
 * Says what tokens and NFTs are called and look like, for the answers of the alpha API. Asked for the items
 * of a page after the page was built, so it may wait for a network; the page does not wait for it for long.
 */
export interface MetadataProvider<O extends TSchema = TSchema> {
  /** One sentence for the list of plugins. */
  summary: string;
  /**
   * TypeBox schema of the options; each has a default, as no configuration gives any. `url`, `key_header` and
   * `key` are taken from the service's settings of metadata, where the schema has them.
   */
  options: O;
  /**
   * @returns for each identifier (`<chain>.<contract>` or `<chain>.<contract>.<token_id>`), in their order,
   * what is known of it. A rejection gives the whole page no metadata, so an unknown item is `{}`, no error.
   */
  compile(options: Static<O>): (item_ids: readonly string[]) => Promise<Metadata[]>;
}
