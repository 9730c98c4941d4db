import { roundToMs } from '../columns/time.ts';

/** Interaction types of content in the order of their stored codes. Append only. */
export const EVENT_TYPES = ['view', 'like', 'comment', 'share', 'bookmark', 'hide', 'report'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
export const EVENT_CODE = {
  view: 0,
  like: 1,
  comment: 2,
  share: 3,
  bookmark: 4,
  hide: 5,
  report: 6,
} as const;

/** The event types of wallets in the order of their stored codes. Append only. */
export const WALLET_EVENT_TYPES = [
  'mint',
  'buy',
  'sell',
  'swap',
  'transfer',
  'bid',
  'list',
  'burn',
  'like',
  'view',
] as const;
export type WalletEventType = (typeof WALLET_EVENT_TYPES)[number];

/** The counters of an item, which the source and the service itself count. */
export const COUNTERS = ['likes_count', 'comments_count', 'shares_count'] as const;
export type Counter = (typeof COUNTERS)[number];
export type Counts = Record<Counter, number>;

/** The earliest timestamp in seconds. 0 means "never". */
const EARLIEST = 0.001;

/**
 * Clamps an event time to the time of writing, so an act dated in the future distorts nothing.
 *
 * The result is never 0, which would mean "never counted".
 */
export function clamped(timestamp: number, applied_at: number): number {
  return roundToMs(Math.max(EARLIEST, Math.min(timestamp, applied_at)));
}
