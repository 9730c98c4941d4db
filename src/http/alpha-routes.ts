import { Elysia } from 'elysia';
import type { Alpha, AlphaPage } from '../alpha/alpha.ts';
import { eventParser, type WalletEvent } from '../alpha/event.ts';
import { asWallet } from '../alpha/identifiers.ts';
import { metadataLeftOut } from '../answer/page-answer.ts';
import { invalidValue, ServiceError } from '../errors.ts';
import { listedWarnings } from '../ingest/outcome.ts';
import { type Parsed, unknownField } from '../ingest/records/record.ts';
import { LIMITS } from '../limits.ts';
import { readJson, readRecords } from './body.ts';
import type { Host } from './host.ts';
import { ingestAnswer } from './ingest-answer.ts';
import type { Metrics } from './metrics.ts';
import { documented, type Parameter } from './openapi/operation.ts';
import {
  AlphaFeedSchema,
  catalogContents,
  DEMO_WALLET,
  EventAnswerSchema,
  eventContent,
  TopKSchema,
  WalletSchema,
} from './schemas/alpha.ts';
import { IngestAnswerSchema, IngestProblemSchema } from './schemas/ingest.ts';
import { Written } from './written-answer.ts';

const TOP_K: Parameter = {
  name: 'top_k',
  in: 'query',
  description: `Number of items: 1 to ${LIMITS.top_k_max_for_you}. Default ${LIMITS.top_k_default}.`,
  schema: TopKSchema,
  example: 5,
};

const WALLET: Parameter = {
  name: 'wallet_address',
  in: 'path',
  description: 'Wallet address. Hexadecimal digits in upper or lower case.',
  schema: WalletSchema,
  example: DEMO_WALLET,
};

const FEED_ANSWERS = { 200: { description: 'The items.', content: { schema: AlphaFeedSchema } } };

const FOR_YOU_DOCS = documented({
  tag: 'Tokens and NFTs',
  id: 'walletForYou',
  summary: 'Tokens and NFTs for a wallet',
  description:
    'Ranks items by what wallets with similar holdings acquired and by overall demand. Items that the wallet already holds are left out. A wallet without history gets popular items. A page is at most 1 MiB: metadata beyond that is left out and a warning is added. Needs no key. The request is not recorded.',
  parameters: [WALLET, TOP_K],
  answers: FEED_ANSWERS,
  errors: ['invalid_value', 'plugin_failed', 'store_unavailable', 'overloaded', 'loading', 'shutting_down'],
});

const POPULAR_DOCS = documented({
  tag: 'Tokens and NFTs',
  id: 'walletPopular',
  summary: 'Popular tokens and NFTs',
  description:
    'Ranks items by the demand of the last hours and days. A page is at most 1 MiB: metadata beyond that is left out and a warning is added. Needs no key. The request is not recorded.',
  parameters: [TOP_K],
  answers: FEED_ANSWERS,
  errors: ['invalid_value', 'plugin_failed', 'store_unavailable', 'overloaded', 'loading', 'shutting_down'],
});

function eventDocs(chain: string) {
  return documented({
    tag: 'Tokens and NFTs',
    id: 'recordWalletEvent',
    summary: 'Record an event of a wallet',
    description:
      'The answer is sent when the event is durable and visible to the next request. Items do not have to be known beforehand. Needs no key.',
    body: { description: 'One event, at most 64 KiB.', required: true, content: [eventContent(chain)] },
    answers: { 200: { description: 'The event is recorded.', content: { schema: EventAnswerSchema } } },
    errors: ['write_queue_full', 'store_unavailable', 'overloaded', 'loading', 'shutting_down', 'state_full'],
  });
}

function catalogDocs(chain: string) {
  return documented({
    tag: 'Tokens and NFTs',
    id: 'ingestTokens',
    summary: 'Write the metadata of tokens and NFTs',
    description:
      'Writes the catalog that the metadata provider `catalog` reads. Fields in the record replace the stored fields of the same `item_id`; other fields stay. `hidden` removes an item from every feed.',
    key: 'ingest:write',
    limited: false,
    body: {
      description: 'One record, an array of up to 10,000 records, or one record per line. At most 16 MiB.',
      required: true,
      content: catalogContents(chain),
    },
    answers: {
      200: { description: 'At least one record was accepted.', content: { schema: IngestAnswerSchema } },
    },
    errors: ['quota_exceeded', 'write_queue_full', 'store_unavailable', 'state_full'],
    problem: IngestProblemSchema,
  });
}

/** The token and NFT API, spec 4.3: `/<chain>/feed/…`, `/<chain>/events`, and the catalog at `/<chain>/items`. */
export function alphaRoutes(host: Host, chain: string) {
  const parseEvent = eventParser(chain);
  return new Elysia({ prefix: `/${chain}` })
    .get(
      '/feed/for-you/:wallet_address',
      async ({ request, params }) => {
        const { alpha } = host.withoutKey(request);
        const wallet = walletOf(params.wallet_address);
        const { top_k, warnings } = queryOf(request);
        return pageAnswer(await alpha.forYou(wallet, top_k, request.signal), warnings);
      },
      FOR_YOU_DOCS,
    )
    .get(
      '/feed/popular',
      async ({ request }) => {
        const { alpha } = host.withoutKey(request);
        const { top_k, warnings } = queryOf(request);
        return pageAnswer(await alpha.popular(top_k, request.signal), warnings);
      },
      POPULAR_DOCS,
    )
    .post(
      '/events',
      async ({ request }) => {
        const { alpha } = host.withoutKey(request);
        const parsed = parseEvent(await readJson(request, host.roomWithoutKey(request)));
        const { record, warnings } = await counted(host.metrics, recordEvent(alpha, parsed));
        const message = `Event '${record.event_type}' recorded`;
        return { status: 'success', message, ...listed(warnings) };
      },
      { parse: 'none', ...eventDocs(chain) },
    )
    .post(
      '/items',
      async ({ request, set }) => {
        const { alpha } = host.ready();
        // The token and NFT API has no rate limit.
        const { account } = host.authenticate(request, { scope: 'ingest:write', limited: false });
        const records = await readRecords(request, host.room(request));
        const result = await host
          .recordQuota()
          .within(account, records.length, () => alpha.ingestItems(records));
        host.metrics.ingested('wallets', 'items', result);
        return ingestAnswer(result, set);
      },
      { parse: 'none', ...catalogDocs(chain) },
    );
}

async function recordEvent(alpha: Alpha, parsed: Parsed<WalletEvent>) {
  if (!parsed.ok) throw invalidValue(parsed.faults);
  await alpha.recordEvent(parsed.record);
  return parsed;
}

/** Counts an event as accepted, or as rejected when `recorded` fails because of the record. */
async function counted<T>(metrics: Metrics, recorded: Promise<T>): Promise<T> {
  try {
    const result = await recorded;
    metrics.ingested('wallets', 'events', { accepted: 1, rejected_count: 0 });
    return result;
  } catch (error) {
    const wrong = error instanceof ServiceError && error.code === 'invalid_value';
    if (wrong) metrics.ingested('wallets', 'events', { accepted: 0, rejected_count: 1 });
    throw error;
  }
}

/** @param text path segment; null when it is not percent-encoded UTF-8 */
function walletOf(text: string | null): string {
  const wallet = asWallet(text ?? '');
  if (wallet !== undefined) return wallet;
  const message = 'expected a wallet address, 0x and 40 hexadecimal digits';
  throw invalidValue([{ path: '/wallet_address', message }]);
}

/** @param warnings warnings of the request; they come before those of the page */
function pageAnswer({ items, left_out }: AlphaPage, warnings: readonly string[]): Written {
  const of_page = left_out === 0 ? [] : [metadataLeftOut(left_out, LIMITS.keyless_page_bytes_max)];
  const written = items.map(
    ({ itemId, score, metadata }) =>
      `{"itemId":${JSON.stringify(itemId)},"score":${score},"metadata":${metadata}}`,
  );
  const fields = Object.entries(listed([...warnings, ...of_page]));
  const rest = fields.map(([name, value]) => `,"${name}":${JSON.stringify(value)}`).join('');
  return new Written(`{"status":"success","items":[${written.join(',')}]${rest}}`);
}

/** A plain decimal number: no sign, no leading zeros, no exponent. */
const PLAIN_INTEGER = /^[1-9]\d{0,9}$/;

/** Page size and warnings of a query. Unknown parameters are named in the warnings. */
function queryOf(request: Request): { top_k: number; warnings: string[] } {
  const question = request.url.indexOf('?');
  if (question < 0) return { top_k: LIMITS.top_k_default, warnings: [] };
  const query = new URLSearchParams(request.url.slice(question + 1));
  const unknown = new Set(query.keys());
  unknown.delete(TOP_K.name);
  return { top_k: topK(query), warnings: [...unknown].map(unknownField) };
}

/** The `warnings` field of an answer; absent when there are none. */
function listed(warnings: readonly string[]): { warnings?: string[] } {
  return warnings.length === 0 ? {} : { warnings: listedWarnings(warnings) };
}

function topK(query: URLSearchParams): number {
  const given = query.getAll(TOP_K.name);
  if (given.length === 0) return LIMITS.top_k_default;
  const most = LIMITS.top_k_max_for_you;
  if (given.length === 1 && PLAIN_INTEGER.test(given[0]) && Number(given[0]) <= most) return Number(given[0]);
  throw invalidValue([{ path: '/top_k', message: `must be given once, an integer from 1 to ${most}` }]);
}
