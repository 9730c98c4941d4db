import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { type Fault, invalidValue } from '../errors.ts';
import { warningsFor } from '../feeds/check-parameters.ts';
import { asObject, VISIBILITIES, type Visibility } from '../feeds/feed-object.ts';
import type { SavedFeed } from '../feeds/saved-feed.ts';
import type { Precondition, Saved } from '../feeds/saved-feeds.ts';
import { LIMITS } from '../limits.ts';
import { readJson } from './body.ts';
import type { Host } from './host.ts';
import { documented, type Parameter } from './openapi/operation.ts';
import { urlOf } from './request-url.ts';
import {
  CHANGED_FEED_CONTENT,
  DeletedSchema,
  ETAG,
  LISTING_CONTENT,
  ListAnswerSchema,
  NEW_FEED_CONTENT,
  ReadAnswerSchema,
  SavedAnswerSchema,
} from './schemas/feed-config.ts';
import { FeedProblemSchema } from './schemas/problem.ts';

type Headers = Record<string, string | number>;

const CONFIG_ID: Parameter = {
  name: 'config_id',
  in: 'query',
  description: 'Id of the feed.',
  schema: Type.String({ minLength: 1 }),
  required: true,
  example: 'feed_1',
};
const IF_MATCH: Parameter = {
  name: 'if-match',
  in: 'header',
  description: 'Apply the request only if the feed has this revision (the ETag). `*`: any revision.',
  schema: Type.String(),
};

const MERGE: Parameter = {
  name: 'merge',
  in: 'query',
  description:
    'Merge the keys of `config` and of `config.filters` into the saved ones instead of replacing all of `config`. `null` removes a key. Without this parameter, `warnings` names the saved keys that the new `config` lacks.',
  schema: Type.Boolean(),
  example: false,
};

/** Documentation that all routes share. */
const CONFIGS = { tag: 'Feed configurations', key: 'config:write', problem: FeedProblemSchema } as const;

const DOCS = {
  create: documented({
    ...CONFIGS,
    id: 'createFeed',
    summary: 'Save a feed',
    description:
      'The whole feed is checked, and every fault is listed with its path. Unknown fields are named in `warnings`. Filters and other parameters outside of `config` are refused with a hint to the right place. The service assigns the id.',
    body: { description: 'The feed.', required: true, content: [NEW_FEED_CONTENT] },
    answers: {
      201: { description: 'The feed is saved.', content: { schema: SavedAnswerSchema }, headers: ETAG },
    },
    errors: ['quota_exceeded', 'store_unavailable'],
  }),
  read: documented({
    ...CONFIGS,
    id: 'readFeed',
    summary: 'Read a saved feed',
    description: 'Returns a feed of the account, or a feed of another account that is not private.',
    parameters: [CONFIG_ID],
    answers: { 200: { description: 'The feed.', content: { schema: ReadAnswerSchema }, headers: ETAG } },
    errors: ['invalid_value', 'not_found'],
  }),
  change: documented({
    ...CONFIGS,
    id: 'changeFeed',
    summary: 'Change a saved feed',
    description:
      'The change takes effect on the next feed request. Only the owner may change a feed. The plugins and feeds that it refers to are checked again when `config` or `endpoint` changes; they may have been removed since.',
    parameters: [IF_MATCH, MERGE],
    body: { description: 'What changes.', required: true, content: [CHANGED_FEED_CONTENT] },
    answers: {
      200: { description: 'The feed is changed.', content: { schema: SavedAnswerSchema }, headers: ETAG },
    },
    errors: ['not_found', 'quota_exceeded', 'revision_mismatch', 'store_unavailable'],
  }),
  remove: documented({
    ...CONFIGS,
    id: 'deleteFeed',
    summary: 'Delete a saved feed',
    description: 'Only the owner may delete a feed. Its id is never used again.',
    parameters: [CONFIG_ID, IF_MATCH],
    answers: { 200: { description: 'The feed is deleted.', content: { schema: DeletedSchema } } },
    errors: ['invalid_value', 'not_found', 'revision_mismatch', 'store_unavailable'],
  }),
  list: documented({
    ...CONFIGS,
    id: 'listFeeds',
    summary: 'Saved feeds',
    description:
      "Lists the account's feeds, newest first. With visibility `template`, lists the templates of all accounts.",
    body: {
      description: 'Selects the feeds. An empty body lists from the start.',
      required: false,
      content: [LISTING_CONTENT],
    },
    answers: { 200: { description: 'The feeds.', content: { schema: ListAnswerSchema } } },
  }),
};

/** `/api/feed/config` and `/api/feed/configs`: spec 4.2. */
export function configRoutes(host: Host) {
  const enter = (request: Request) => {
    const { saved_feeds } = host.ready();
    return { saved_feeds, ...host.authenticate(request, { scope: 'config:write' }) };
  };
  return new Elysia({ prefix: '/api/feed' })
    .post(
      '/config',
      async ({ request, set }) => {
        const { saved_feeds, ...editor } = enter(request);
        const given = asObject(await readJson(request, host.roomForConfig(request)));
        const saved = await saved_feeds.create(editor, given);
        set.status = 201;
        return answer('created', saved, ignoredId(given, saved), set.headers);
      },
      { parse: 'none', ...DOCS.create },
    )
    .get(
      '/config',
      ({ request, set }) => {
        const { saved_feeds, account } = enter(request);
        const feed = saved_feeds.read(configId(fromQuery(request, 'config_id')), account);
        set.headers.etag = etag(feed);
        return { data: feedAnswer(feed) };
      },
      DOCS.read,
    )
    .patch(
      '/config',
      async ({ request, set }) => {
        const { saved_feeds, ...editor } = enter(request);
        const given = asObject(await readJson(request, host.roomForConfig(request)));
        const merge = flag(request, 'merge');
        const config_id = configId(given.config_id);
        const saved = await saved_feeds.change(editor, config_id, given, ifMatch(request), merge);
        return answer('updated', saved, [], set.headers);
      },
      { parse: 'none', ...DOCS.change },
    )
    .delete(
      '/config',
      async ({ request }) => {
        const { saved_feeds, ...editor } = enter(request);
        const config_id = configId(fromQuery(request, 'config_id'));
        await saved_feeds.remove(editor, config_id, ifMatch(request));
        return { message: `feed '${config_id}' deleted` };
      },
      { parse: 'none', ...DOCS.remove },
    )
    .post(
      '/configs',
      async ({ request }) => {
        const { saved_feeds, account } = enter(request);
        const wanted = listing(request, (await readJson(request, host.roomForConfig(request))) ?? {});
        return listAnswer(saved_feeds.list(account, wanted.visibility), wanted);
      },
      { parse: 'none', ...DOCS.list },
    );
}

/** The selected feeds, as many as fit one answer. A warning tells where to continue. */
function listAnswer(feeds: readonly SavedFeed[], { limit, offset, warnings }: Listing): object {
  const wanted = feeds.slice(offset, offset + (limit ?? LIMITS.feeds_listed_default));
  let bytes = 0;
  const fits = wanted.findIndex(({ content_bytes }, at) => {
    bytes += content_bytes;
    return at > 0 && bytes > LIMITS.answer_bytes_max;
  });
  const listed = fits < 0 ? wanted : wanted.slice(0, fits);
  const end = offset + listed.length;
  const all_warnings = [...warnings];
  if (fits >= 0)
    all_warnings.push(
      `an answer has at most ${LIMITS.answer_bytes_max} bytes: ${listed.length} feeds of ${wanted.length} are listed; go on with offset ${end}`,
    );
  else if (limit === undefined && end < feeds.length)
    all_warnings.push(`${feeds.length - end} more feeds are not listed; ask for them with limit and offset`);
  return { data: listed.map(feedAnswer), ...(all_warnings.length > 0 ? { warnings: all_warnings } : {}) };
}

/** A saved feed as clients see it, spec 2.1. */
export function feedAnswer({
  feed_id,
  object,
  revision,
  created_at,
  updated_at,
}: Pick<SavedFeed, 'feed_id' | 'object' | 'revision' | 'created_at' | 'updated_at'>): object {
  return {
    config_id: feed_id,
    ...object,
    revision,
    created_at: Math.floor(created_at),
    updated_at: Math.floor(updated_at),
  };
}

function etag({ revision }: SavedFeed): string {
  return `"${revision}"`;
}

function answer(done: string, { feed, warnings }: Saved, more_warnings: string[], headers: Headers): object {
  headers.etag = etag(feed);
  const all_warnings = [...more_warnings, ...warnings];
  const message = `feed '${feed.feed_id}' ${done}`;
  return { message, data: feedAnswer(feed), ...(all_warnings.length > 0 ? { warnings: all_warnings } : {}) };
}

/** A warning for an id that was sent with a new feed: the service assigns ids. */
function ignoredId({ config_id }: Record<string, unknown>, { feed }: Saved): string[] {
  if (config_id === undefined || config_id === null || config_id === '') return [];
  return [`config_id was ignored: the service gives the ids, this feed's is '${feed.feed_id}'`];
}

function fromQuery(request: Request, name: string): string | undefined {
  return urlOf(request).searchParams.get(name) ?? undefined;
}

/** A boolean query parameter; false when absent. @throws ServiceError `invalid_value` */
function flag(request: Request, name: string): boolean {
  const value = fromQuery(request, name) ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalidValue([{ path: `/${name}`, message: 'must be true or false' }]);
}

/** @throws ServiceError `invalid_value` */
function configId(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  const missing = value === undefined || value === null || value === '';
  throw invalidValue([{ path: '/config_id', message: missing ? 'is required' : 'must be a string' }]);
}

/** The condition of `If-Match`: one of several revisions, as in the ETag, or any (`*`). */
function ifMatch(request: Request): Precondition {
  const header = request.headers.get('if-match')?.trim() ?? '';
  if (header === '' || header === '*') return () => true;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return (revision) => tags.includes(`"${revision}"`) || tags.includes(String(revision));
}

interface Listing {
  visibility: Visibility | undefined;
  /** Undefined when the request names no limit. */
  limit: number | undefined;
  offset: number;
  warnings: string[];
}

/**
 * Parses which feeds to list. `limit` and `offset` may also be query parameters.
 * @throws ServiceError `invalid_value`
 */
function listing(request: Request, body: unknown): Listing {
  const { visibility, limit, offset, ...others } = asObject(body);
  const faults: Fault[] = [];
  const known = VISIBILITIES.find((name) => name === visibility);
  if (known === undefined && isGiven(visibility)) {
    faults.push({ path: '/visibility', message: `must be one of ${VISIBILITIES.join(', ')}` });
  }
  const count = (name: string, given: unknown, min: number, max: number): number | undefined => {
    const value = isGiven(given) ? given : decimal(fromQuery(request, name));
    if (!isGiven(value)) return undefined;
    if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    faults.push({ path: `/${name}`, message: `must be an integer from ${min} to ${max}` });
    return undefined;
  };
  const most = count('limit', limit, 1, LIMITS.feeds_listed_max);
  const first = count('offset', offset, 0, Number.MAX_SAFE_INTEGER) ?? 0;
  if (faults.length > 0) throw invalidValue(faults);
  const warnings = warningsFor(Object.keys(others), '', 'ignored');
  return { visibility: known, limit: most, offset: first, warnings };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Parses a decimal integer of a query. Other text is returned unchanged, and the schema refuses it. */
function decimal(text: string | undefined): unknown {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text;
}
