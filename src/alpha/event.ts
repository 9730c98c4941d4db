import { oneOf } from '../ingest/records/checks.ts';
import { type Parsed, readRecord, shapeOf } from '../ingest/records/record.ts';
import type { ReadOptions } from '../ingest/records/refusal.ts';
import { seconds } from '../ingest/records/time.ts';
import { WALLET_EVENT_TYPES, type WalletEventType } from '../state/vocabulary.ts';
import { itemId, walletAddress } from './identifiers.ts';

/** An interaction of a wallet with a token or NFT. Spec 2.8. */
export interface WalletEvent {
  /** Lower case. */
  wallet_address: string;
  item_id: string;
  event_type: WalletEventType;
  /** Seconds. Absent: now, and the event is never a repetition of another. */
  timestamp?: number;
}

/** Makes the parser for bodies of `POST /<chain>/events` and rows of `events.csv`. */
export function eventParser(chain: string): (value: unknown, options?: ReadOptions) => Parsed<WalletEvent> {
  const shape = shapeOf<WalletEvent>(
    {
      wallet_address: walletAddress,
      item_id: itemId(chain),
      event_type: oneOf(WALLET_EVENT_TYPES),
      timestamp: seconds,
    },
    ['wallet_address', 'item_id', 'event_type'],
  );
  return (value, options) => readRecord(value, shape, options);
}
