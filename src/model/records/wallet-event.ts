import { WALLET_EVENT_TYPES } from '../acts.ts';
import { type Parsed, readRecord } from '../values/record.ts';
import { optional, type RecordOf, recordType, required } from '../values/record-type.ts';
import type { ReadOptions } from '../values/refusal.ts';
import { ITEM_FORM, itemType, WALLET_FORM, Wallet } from '../values/tokens.ts';
import * as type from '../values/values.ts';
import { DEMO_WALLET, demoNft } from './example-ids.ts';

/** An interaction of a wallet with a token or NFT of a chain. Spec 2.8. */
export function walletEvent(chain: string) {
  return recordType('WalletEvent', 'An event of a wallet.', {
    wallet_address: required(Wallet, WALLET_FORM, DEMO_WALLET),
    item_id: required(itemType(chain), ITEM_FORM, demoNft(chain)),
    event_type: required(
      type.word(WALLET_EVENT_TYPES),
      'After mint, buy and swap the wallet holds the item; after sell, transfer and burn it does not.',
      'mint',
    ),
    /** seconds */
    timestamp: optional(
      type.Time,
      'Time of the event. The same event with the same time counts once. Default: now, and each event counts.',
      1764865269,
    ),
  });
}

export type WalletEvent = RecordOf<ReturnType<typeof walletEvent>>;

/** Makes the parser for bodies of `POST /<chain>/events` and rows of `events.csv`. */
export function eventParser(chain: string): (value: unknown, options?: ReadOptions) => Parsed<WalletEvent> {
  const { shape } = walletEvent(chain);
  return (value, options) => readRecord(value, shape, options);
}
