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
