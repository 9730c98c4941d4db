import type { WalletPage } from '../../alpha/wallet-feeds.ts';
import { metadataLeftOut } from '../../answer/page-answer.ts';
import { ServiceError } from '../../errors.ts';
import { listedWarnings } from '../../ingest/outcome.ts';
import { LIMITS } from '../../limits.ts';
import { walletEvent } from '../../model/records/wallet-event.ts';
import { unknownField } from '../../model/values/record.ts';
import { objectOf } from '../../model/values/record-type.ts';
import { CATALOG, withoutKey } from '../identity/admissions.ts';
import { ingestAnswer } from '../ingest/ingest-answer.ts';
import { IngestAnswerSchema, IngestProblemSchema } from '../ingest/ingest-schemas.ts';
import type { OperationDocs } from '../openapi/docs.ts';
import { named } from '../openapi/schema.ts';
import { json, success, warned, written } from '../transport/answers.ts';
import { checkedBody, checkedBy } from '../transport/body.ts';
import type { Host } from '../transport/host.ts';
import { namedJson } from '../transport/read-body.ts';
import { type Route, route } from '../transport/route.ts';
import { Written } from '../transport/written-answer.ts';
import {
  AlphaFeedSchema,
  catalogBody,
  EventAnswerSchema,
  eventExamples,
  FEED_QUERY,
  WalletParameter,
} from './alpha-schemas.ts';

const UNAVAILABLE = ['store_unavailable', 'overloaded', 'loading', 'shutting_down'] as const;

const FEED = {
  admit: withoutKey('reads for wallets'),
  answered_by: 'any',
  of_wallets: true,
  query: FEED_QUERY,
  answer: written(AlphaFeedSchema),
} as const;

function feedDocs(id: string, summary: string, description: string): OperationDocs {
  return {
    tag: 'Tokens and NFTs',
    id,
    summary,
    description: `${description} A page is at most 1 MiB: metadata beyond that is left out and a warning is added. Needs no key. The request is not recorded.`,
    errors: ['plugin_failed', ...UNAVAILABLE],
  };
}

/** The token and NFT API, spec 4.3: `/<chain>/feed/…`, `/<chain>/events`, and the catalog at `/<chain>/items`. */
export function alphaRoutes(chain: string): Route[] {
  return [...feedsOf(chain), eventRoute(chain), catalogRoute(chain)];
}

function feedsOf(chain: string): Route[] {
  return [
    route('GET', `/${chain}/feed/for-you/:wallet_address`, {
      ...FEED,
      params: { wallet_address: WalletParameter },
      docs: feedDocs(
        'walletForYou',
        'Tokens and NFTs for a wallet',
        'Ranks items by what wallets with similar holdings acquired and by overall demand. Items that the wallet already holds are left out. A wallet without history gets popular items.',
      ),
      async handle({ service, params: { wallet_address }, query: { top_k }, unknown_parameters, given_up }) {
        return pageAnswer(await service.alpha.forYou(wallet_address, top_k, given_up), unknown_parameters);
      },
    }),
    route('GET', `/${chain}/feed/popular`, {
      ...FEED,
      docs: feedDocs(
        'walletPopular',
        'Popular tokens and NFTs',
        'Ranks items by the demand of the last hours and days.',
      ),
      async handle({ service, query: { top_k }, unknown_parameters, given_up }) {
        return pageAnswer(await service.alpha.popular(top_k, given_up), unknown_parameters);
      },
    }),
  ];
}

function eventRoute(chain: string): Route {
  const event = objectOf(walletEvent(chain));
  return route('POST', `/${chain}/events`, {
    admit: withoutKey('wallet events'),
    answered_by: 'leader',
    of_wallets: true,
    body: checkedBy(
      named('WalletEvent', event.schema),
      {
        bytes_max: LIMITS.small_body_bytes_max,
        form: namedJson,
        docs: { description: 'One event, at most 64 KiB.', examples: eventExamples(chain) },
      },
      (given, { host }: { host: Host }) => {
        try {
          return checkedBody(event, given);
        } catch (error) {
          throw countedError(host, error);
        }
      },
    ),
    answer: json(EventAnswerSchema),
    docs: {
      tag: 'Tokens and NFTs',
      id: 'recordWalletEvent',
      summary: 'Record an event of a wallet',
      description:
        'The answer is sent when the event is durable and visible to the next request. Items do not have to be known beforehand. Needs no key.',
      errors: ['write_queue_full', 'state_full', ...UNAVAILABLE],
    },
    async handle({ host, service, body, warnings }) {
      const further = await service.alpha.recordEvent(body).catch((error) => {
        throw countedError(host, error);
      });
      countEvent(host, 'accepted');
      const message = `Event '${body.event_type}' recorded`;
      return success({ message }, listedWarnings([...warnings, ...further]));
    },
  });
}

function catalogRoute(chain: string): Route {
  return route('POST', `/${chain}/items`, {
    admit: CATALOG,
    answered_by: 'leader',
    of_wallets: true,
    body: catalogBody(chain),
    answer: json(IngestAnswerSchema),
    docs: {
      tag: 'Tokens and NFTs',
      id: 'ingestTokens',
      summary: 'Write the metadata of tokens and NFTs',
      description:
        'Writes the catalog that the metadata provider `catalog` reads. Fields in the record replace the stored fields of the same `item_id`; other fields stay. `hidden` removes an item from every feed.',
      errors: ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'],
      problem: IngestProblemSchema,
    },
    async handle({ host, service, principal: { account }, body: records }) {
      const ingest = () => service.alpha.ingestItems(records, account);
      const result = await host.recordQuota().within(account, records.length, ingest);
      host.metrics.ingested('wallets', 'items', result);
      return ingestAnswer(result);
    },
  });
}

/** Counts an event that failed as rejected, if its values are why. @returns the error */
function countedError(host: Host, error: unknown): unknown {
  if (error instanceof ServiceError && error.code === 'invalid_value') countEvent(host, 'rejected');
  return error;
}

function countEvent({ metrics }: Host, outcome: 'accepted' | 'rejected'): void {
  const accepted = outcome === 'accepted' ? 1 : 0;
  metrics.ingested('wallets', 'events', { accepted, rejected_count: 1 - accepted });
}

/** Warnings about the query come before those about the page. */
function pageAnswer({ items, left_out }: WalletPage, unknown_parameters: readonly string[]): Written {
  const warnings = unknown_parameters.map(unknownField);
  const of_page = left_out === 0 ? [] : [metadataLeftOut(left_out, LIMITS.keyless_page_bytes_max)];
  const written = items.map(
    ({ itemId, score, metadata }) =>
      `{"itemId":${JSON.stringify(itemId)},"score":${score},"metadata":${metadata}}`,
  );
  const fields = Object.entries(warned(listedWarnings([...warnings, ...of_page])));
  const rest = fields.map(([name, value]) => `,"${name}":${JSON.stringify(value)}`).join('');
  return new Written(`{"status":"success","items":[${written.join(',')}]${rest}}`);
}
