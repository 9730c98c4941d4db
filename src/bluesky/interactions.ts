import type { Clock } from '../clock.ts';
import type { Experiments } from '../experiments/experiments.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { IngestResult } from '../ingest/outcome.ts';
import { LIMITS } from '../limits.ts';
import { objectOf, omittable, type RecordOf, recordType, required } from '../model/values/record-type.ts';
import * as type from '../model/values/values.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { SeenReport, SeenReports } from '../serve/seen-reports.ts';
import type { State } from '../state/state.ts';
import { isPostUri } from './generator.ts';

/** A post that examples name. */
export const POST_URI = 'at://did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.post/3l6oveex3ii2l';

const INTERACTION = recordType('', 'What the viewer did with a post.', {
  item: omittable(type.textUpTo(8_192), 'URI of the post.', POST_URI),
  event: omittable(
    type.textUpTo(1_000),
    '`app.bsky.feed.defs#` and `requestLess`, `requestMore`, `clickthroughItem`, `clickthroughAuthor`, `clickthroughReposter`, `clickthroughEmbed`, `interactionSeen`, `interactionLike`, `interactionRepost`, `interactionReply`, `interactionQuote` or `interactionShare`. Others are ignored.',
    'app.bsky.feed.defs#interactionSeen',
  ),
  feedContext: omittable(type.textUpTo(2_000), 'What the feed said about the post.', 'feed_1'),
  reqId: omittable(type.textUpTo(100), 'Id of the request that returned the post.'),
});

/** The body of `app.bsky.feed.sendInteractions`. */
export const INTERACTIONS = recordType('BlueskyInteractions', 'Interactions of one viewer.', {
  interactions: required(
    type.list(objectOf(INTERACTION), 0, LIMITS.bluesky_interactions_max, 'interactions'),
    'What the viewer did.',
    [{ item: POST_URI, event: 'app.bsky.feed.defs#interactionSeen', feedContext: 'feed_1' }],
  ),
});

const PREFIX = 'app.bsky.feed.defs#';

/**
 * What an event becomes. `impression` is recorded as a page that was shown; others are interactions.
 *
 * A reply is a post of its own, which is ingested with its comment. So its event only counts as a view.
 */
const ACTS: Readonly<Record<string, string>> = {
  requestLess: 'hide',
  requestMore: 'bookmark',
  clickthroughItem: 'view',
  clickthroughAuthor: 'view',
  clickthroughReposter: 'view',
  clickthroughEmbed: 'view',
  interactionSeen: 'impression',
  interactionLike: 'like',
  interactionRepost: 'share',
  interactionQuote: 'share',
  interactionShare: 'share',
  interactionReply: 'view',
};

/** Acts that are also records on the network, which are read from there. */
const RECORDED: ReadonlySet<string> = new Set(['like', 'share']);

/**
 * Reports of such acts are dated so much earlier.
 *
 * The later of two acts wins, so the record wins, and so does its deletion: a like that was taken back before its
 * report arrived stays taken back. Clients report within some seconds.
 */
const BACKDATED_SECONDS = 300;

interface Community {
  state: State;
  clock: Clock;
  experiments: Pick<Experiments, 'served'>;
}

/** What is stored of a report. */
export interface Storable {
  seen: SeenReport[];
  records: object[];
  count: number;
}

/**
 * Reads what a viewer did.
 *
 * Entries about unknown items, about items that are not posts of Bluesky, with unknown events, or with the context of a feed that is not served are left out.
 * @param isServed whether a feed is served to Bluesky
 */
export function storableOf(
  { state, clock, experiments }: Community,
  viewer: string,
  interactions: RecordOf<typeof INTERACTIONS>['interactions'],
  isServed: (feed_id: string) => boolean,
): Storable {
  /** By the feed. */
  const shown = new Map<string | undefined, Set<string>>();
  const records: object[] = [];
  for (const { item: item_id = '', event = '', feedContext } of interactions) {
    const item = isPostUri(item_id) ? state.items.names.find(item_id) : NONE;
    const name = event.startsWith(PREFIX) ? event.slice(PREFIX.length) : '';
    if (item === NONE || !Object.hasOwn(ACTS, name)) continue;
    if (feedContext !== undefined && !isServed(feedContext)) continue;
    const event_type = ACTS[name];
    const record = { user_id: viewer, item_id, event_type };
    const timestamp = Math.max(clock.now() - BACKDATED_SECONDS, state.items.created_at(item));
    if (event_type === 'impression') {
      shown.set(feedContext, (shown.get(feedContext) ?? new Set()).add(item_id));
    } else if (!RECORDED.has(event_type)) records.push(record);
    // A report that is sent again must not become later than the record.
    else if (!hasDone(state, viewer, item, event_type)) records.push({ ...record, timestamp });
  }
  // Experiments count acts after an item was seen. Reports of acts are backdated, and reports of seen items come late.
  const timestamp = clock.now() - BACKDATED_SECONDS;
  const seen = [...shown].map(([feed_id, item_ids]): SeenReport => {
    const assigned = feed_id === undefined ? undefined : experiments.served.variantOf(feed_id, viewer);
    const arm = assigned?.variant.arm;
    return { viewer_id: viewer, item_ids: [...item_ids], feed_id, timestamp, arm };
  });
  const seen_count = seen.reduce((sum, { item_ids }) => sum + item_ids.length, 0);
  return { seen, records, count: seen_count + records.length };
}

/**
 * Stores what a viewer did. Resolves when everything is durable and applied.
 * @param account stands for all viewers, who share a part of the write queue
 * @throws ServiceError `write_queue_full`, `store_unavailable`, `state_full`
 */
export async function storeReport(
  { ingest, seen_reports }: { ingest: Pick<Ingest, 'ingest'>; seen_reports: Pick<SeenReports, 'record'> },
  { seen, records }: Storable,
  account: string,
): Promise<IngestResult> {
  await seen_reports.record(seen);
  return ingest.ingest('interactions', records, account);
}

/** Whether an act of a user stands. */
function hasDone(
  { users, interactions, vocabulary }: State,
  viewer: string,
  item: Ordinal,
  name: string,
): boolean {
  const user = users.names.find(viewer);
  const event_type = vocabulary.code(name);
  return user !== NONE && interactions.stands({ user, item, event_type, add: true, time: 0, event_id: '' });
}
