import type { Tables } from './tables.ts';

/** A saved feed as stored. The feed room interprets its content. */
export interface StoredFeed {
  /** `feed_<n>` */
  feed_id: string;
  account: string;
  /** 1 when created, plus one for each change. */
  revision: number;
  /** seconds */
  created_at: number;
  /** seconds */
  updated_at: number;
  /** JSON text */
  content: string;
}

export const FEED_COLUMNS = [
  'feed_number',
  'account',
  'revision',
  'created_at',
  'updated_at',
  'content',
] as const;

export function storedFeed({
  feed_number,
  ...row
}: Pick<Tables['feeds'], (typeof FEED_COLUMNS)[number]>): StoredFeed {
  return { feed_id: `feed_${feed_number}`, ...row };
}
