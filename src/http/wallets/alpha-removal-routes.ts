import { INGEST } from '../identity/admissions.ts';
import { removalAnswer } from '../ingest/ingest-answer.ts';
import { DoneSchema } from '../ingest/ingest-schemas.ts';
import { json } from '../transport/answers.ts';
import { optional, timeParameter } from '../transport/parameters.ts';
import { type Route, route } from '../transport/route.ts';
import { eventQuery, itemParameter, WalletParameter } from './alpha-schemas.ts';

const TIMESTAMP = timeParameter(
  'Time of the deletion at its source, in the same forms as in events. Default: now, also for times in the future.',
  1764865269,
);
/** Unknown parameters are refused: without its misspelt `timestamp`, a deletion would remove too much. */
const REMOVAL = {
  admit: INGEST,
  answered_by: 'leader',
  of_wallets: true,
  is_query_closed: true,
  answer: json(DoneSchema),
} as const;
const QUERY = { timestamp: optional(TIMESTAMP) };

const DOCS = {
  tag: 'Tokens and NFTs',
  errors: ['not_found', 'write_queue_full', 'store_unavailable'],
} as const;

/** Routes that erase wallets and delete tokens and NFTs under `/<chain>`. */
export function alphaRemovalRoutes(chain: string): Route[] {
  return [
    route('DELETE', `/${chain}/wallets/:wallet_address`, {
      ...REMOVAL,
      params: { wallet_address: WalletParameter },
      query: QUERY,
      docs: {
        ...DOCS,
        id: 'eraseWallet',
        summary: 'Erase a wallet',
        description:
          'Removes all events of the wallet from answers immediately, and from the tables and checkpoints within 24 hours or at the next clean stop. For 90 days, events from before the erasure are accepted and change nothing. Their answers do not tell so, because anyone may send events. Later events count. The mark of the erasure does not contain the address in clear text. If nothing is stored, an erasure without `timestamp` gets 404 and one with `timestamp` gets 200 and is remembered.',
      },
      async handle({ service, principal: { account }, params: { wallet_address }, query: { timestamp } }) {
        const erased = await service.alpha.eraseWallet(wallet_address, { timestamp, account });
        return removalAnswer(`wallet '${wallet_address}'`, 'erased', erased);
      },
    }),
    route('DELETE', `/${chain}/events`, {
      ...REMOVAL,
      query: eventQuery(chain),
      docs: {
        ...DOCS,
        id: 'deleteEvent',
        summary: 'Delete an event',
        description:
          'Removes the event of a wallet on an item at `timestamp` from answers immediately, and from the tables and checkpoints within 24 hours or at the next clean stop. Without `timestamp`, all events of the type by the wallet on the item are removed. For 90 days, the same event changes nothing when it is sent again, and its answer does not tell so. Without `timestamp`, the same holds for events of the type from before the deletion. If there is no such event, the answer is 404 without `timestamp`, and otherwise 200 with a warning, and the deletion is remembered.',
      },
      async handle({ service, principal: { account }, query }) {
        const { event_type } = query;
        const removed = await service.alpha.deleteEvents(query, account);
        const { count } = removed;
        const subject = count > 1 ? `${count} events '${event_type}'` : `Event '${event_type}'`;
        return removalAnswer(subject, 'deleted', removed);
      },
    }),
    route('DELETE', `/${chain}/items/:item_id`, {
      ...REMOVAL,
      params: { item_id: itemParameter(chain) },
      query: QUERY,
      docs: {
        ...DOCS,
        id: 'deleteToken',
        summary: 'Delete a token or NFT',
        description:
          'Removes the item from every feed immediately, with the effect of all events about it, and its metadata from answers immediately and from the tables within 24 hours. For 90 days, neither events nor catalog records bring it back, except for a record with `"revive":true`. Events from before the deletion change nothing and are named in `warnings`; later ones count once the item is back. If nothing is stored, a deletion without `timestamp` gets 404 and one with `timestamp` gets 200 and is remembered.',
      },
      async handle({ service, principal: { account }, params: { item_id }, query: { timestamp } }) {
        const deleted = await service.alpha.deleteItem(item_id, { timestamp, account });
        return removalAnswer(`item '${item_id}'`, 'deleted', deleted);
      },
    }),
  ];
}
