import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { WalletPage } from '../../alpha/wallet-feeds.ts';
import { metadataLeftOut } from '../../answer/page-answer.ts';
import { ServiceError } from '../../errors.ts';
import { listedWarnings } from '../../ingest/outcome.ts';
import { LIMITS } from '../../limits.ts';
import { walletEvent } from '../../model/records/wallet-event.ts';
import { unknownField } from '../../model/values/record.ts';
import { objectOf } from '../../model/values/record-type.ts';
import { Refusal } from '../../model/values/refusal.ts';
import { ingestAnswer } from '../ingest/ingest-answer.ts';
import { IngestAnswerSchema, IngestProblemSchema, recordsOf } from '../ingest/ingest-schemas.ts';
import { described } from '../openapi/operation.ts';
import { ADMISSIONS, boundedBodies } from '../transport/bodies.ts';
import { bodyOf, unchecked } from '../transport/checked.ts';
import type { Host } from '../transport/host.ts';
import { strictParameters } from '../transport/url-parameters.ts';
import { Written } from '../transport/written-answer.ts';
import {
  AlphaFeedSchema,
  catalogBody,
  catalogRecordSchema,
  EventAnswerSchema,
  eventExamples,
  FeedQuerySchema,
  WalletParameter,
} from './alpha-schemas.ts';

const UNAVAILABLE = ['store_unavailable', 'overloaded', 'loading', 'shutting_down'] as const;

function feedDocs(id: string, summary: string, description: string) {
  return described({
    tag: 'Tokens and NFTs',
    id,
    summary,
    description: `${description} A page is at most 1 MiB: metadata beyond that is left out and a warning is added. Needs no key. The request is not recorded.`,
    errors: ['invalid_value', 'plugin_failed', ...UNAVAILABLE],
  });
}

const FOR_YOU_DOCS = feedDocs(
  'walletForYou',
  'Tokens and NFTs for a wallet',
  'Ranks items by what wallets with similar holdings acquired and by overall demand. Items that the wallet already holds are left out. A wallet without history gets popular items.',
);

const POPULAR_DOCS = feedDocs(
  'walletPopular',
  'Popular tokens and NFTs',
  'Ranks items by the demand of the last hours and days.',
);

function eventDocs(chain: string) {
  return described({
    tag: 'Tokens and NFTs',
    id: 'recordWalletEvent',
    summary: 'Record an event of a wallet',
    description:
      'The answer is sent when the event is durable and visible to the next request. Items do not have to be known beforehand. Needs no key.',
    body: { description: 'One event, at most 64 KiB.', examples: eventExamples(chain) },
    errors: ['write_queue_full', 'state_full', ...UNAVAILABLE],
  });
}

function catalogDocs(chain: string) {
  return described({
    tag: 'Tokens and NFTs',
    id: 'ingestTokens',
    summary: 'Write the metadata of tokens and NFTs',
    description:
      'Writes the catalog that the metadata provider `catalog` reads. Fields in the record replace the stored fields of the same `item_id`; other fields stay. `hidden` removes an item from every feed.',
    admission: ADMISSIONS.catalog,
    body: catalogBody(chain),
    errors: ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'],
    problem: IngestProblemSchema,
  });
}

/** The token and NFT API, spec 4.3: `/<chain>/feed/…`, `/<chain>/events`, and the catalog at `/<chain>/items`. */
export function alphaRoutes(host: Host, chain: string) {
  const withoutKey = ({ request }: { request: Request }) => host.withoutKey(request, 'reads for wallets');
  return new Elysia({ prefix: `/${chain}` })
    .use(boundedBodies(host))
    .get(
      '/feed/for-you/:wallet_address',
      async ({ request, params: { wallet_address }, query }) => {
        const { alpha } = host.service;
        const page = await alpha.forYou(wallet_address, query.top_k, request.signal);
        return pageAnswer(page, unknownIn(query));
      },
      {
        transform: [withoutKey, strictParameters],
        params: Type.Object({ wallet_address: WalletParameter }),
        query: FeedQuerySchema,
        response: { 200: unchecked(AlphaFeedSchema) },
        detail: FOR_YOU_DOCS,
      },
    )
    .get(
      '/feed/popular',
      async ({ request, query }) => {
        const page = await host.service.alpha.popular(query.top_k, request.signal);
        return pageAnswer(page, unknownIn(query));
      },
      {
        transform: [withoutKey, strictParameters],
        query: FeedQuerySchema,
        response: { 200: unchecked(AlphaFeedSchema) },
        detail: POPULAR_DOCS,
      },
    )
    .post(
      '/events',
      async ({ body: { value, warnings } }) => {
        const recorded = host.service.alpha.recordEvent(value);
        const further = await recorded.catch((error) => {
          if (error instanceof ServiceError && error.code === 'invalid_value') countEvent(host, 'rejected');
          throw error;
        });
        countEvent(host, 'accepted');
        const message = `Event '${value.event_type}' recorded`;
        return { status: 'success', message, ...listed([...warnings, ...further]) };
      },
      {
        parse: 'bounded_event',
        body: eventBody(host, chain),
        response: { 200: unchecked(EventAnswerSchema) },
        detail: eventDocs(chain),
      },
    )
    .post(
      '/items',
      async ({ request, body: records, set }) => {
        const { account, service } = host.admitted(request);
        const ingest = () => service.alpha.ingestItems(records, account);
        const result = await host.recordQuota().within(account, records.length, ingest);
        host.metrics.ingested('wallets', 'items', result);
        return ingestAnswer(result, set);
      },
      {
        parse: 'bounded_catalog',
        body: recordsOf(catalogRecordSchema(chain)),
        response: { 200: unchecked(IngestAnswerSchema) },
        detail: catalogDocs(chain),
      },
    );
}

function eventBody(host: Host, chain: string) {
  const { schema, check } = objectOf(walletEvent(chain));
  return bodyOf({
    schema,
    check(value) {
      const checked = check(value);
      if (checked instanceof Refusal) countEvent(host, 'rejected');
      return checked;
    },
  });
}

function countEvent({ metrics }: Host, outcome: 'accepted' | 'rejected'): void {
  const accepted = outcome === 'accepted' ? 1 : 0;
  metrics.ingested('wallets', 'events', { accepted, rejected_count: 1 - accepted });
}

/** @param warnings warnings of the request; they come before those of the page */
function pageAnswer({ items, left_out }: WalletPage, warnings: readonly string[]): Written {
  const of_page = left_out === 0 ? [] : [metadataLeftOut(left_out, LIMITS.keyless_page_bytes_max)];
  const written = items.map(
    ({ itemId, score, metadata }) =>
      `{"itemId":${JSON.stringify(itemId)},"score":${score},"metadata":${metadata}}`,
  );
  const fields = Object.entries(listed([...warnings, ...of_page]));
  const rest = fields.map(([name, value]) => `,"${name}":${JSON.stringify(value)}`).join('');
  return new Written(`{"status":"success","items":[${written.join(',')}]${rest}}`);
}

function unknownIn({ top_k: _, ...others }: object & { top_k: number }): string[] {
  return Object.keys(others).map(unknownField);
}

/** The `warnings` field of an answer; absent when there are none. */
function listed(warnings: readonly string[]): { warnings?: string[] } {
  return warnings.length === 0 ? {} : { warnings: listedWarnings(warnings) };
}
