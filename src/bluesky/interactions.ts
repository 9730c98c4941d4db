import type { Clock } from '../clock.ts';
import { type Fault, invalidValue } from '../errors.ts';
import type { Experiments } from '../experiments/experiments.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { IngestResult } from '../ingest/outcome.ts';
import { isPlainObject } from '../ingest/records/refusal.ts';
import type { View } from '../ingest/views.ts';
import { LIMITS } from '../limits.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { isPostUri } from './generator.ts';

/** One entry of `app.bsky.feed.sendInteractions`. */
export interface Interaction {
  item?: string;
  event?: string;
  feedContext?: string;
  reqId?: string;
}

const LENGTHS_MAX: Record<keyof Interaction, number> = {
  item: 8_192,
  event: 1_000,
  feedContext: 2_000,
  reqId: 100,
};

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

/** @throws ServiceError `invalid_value` with every fault */
export function readInteractions(body: unknown): Interaction[] {
  const interactions = isPlainObject(body) ? body.interactions : undefined;
  const most = LIMITS.bluesky_interactions_max;
  if (!Array.isArray(interactions) || interactions.length > most)
    throw invalidValue([
      { path: '/interactions', message: `must be a list of at most ${most} interactions` },
    ]);
  const faults = interactions.flatMap((interaction, index) =>
    faultsOf(interaction, `/interactions/${index}`),
  );
  if (faults.length > 0) throw invalidValue(faults);
  return interactions;
}

function faultsOf(interaction: unknown, path: string): Fault[] {
  if (!isPlainObject(interaction)) return [{ path, message: 'must be a JSON object' }];
  return Object.entries(LENGTHS_MAX).flatMap(([name, most]) => {
    const { [name]: value } = interaction;
    const is_valid = value === undefined || (typeof value === 'string' && value.length <= most);
    return is_valid
      ? []
      : [{ path: `${path}/${name}`, message: `must be a text of at most ${most} characters` }];
  });
}

interface Community {
  state: State;
  clock: Clock;
  ingest: Pick<Ingest, 'views'>;
  experiments: Pick<Experiments, 'variantOf'>;
}

/** What is stored of a report. */
export interface Storable {
  views: View[];
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
  { state, ingest, clock, experiments }: Community,
  viewer: string,
  interactions: readonly Interaction[],
  isServed: (feed_id: string) => boolean,
): Storable {
  /** By the variant of an experiment that decided the page. */
  const seen = new Map<number | undefined, Set<Ordinal>>();
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
      const assigned = feedContext === undefined ? undefined : experiments.variantOf(feedContext, viewer);
      const arm = assigned?.variant.arm;
      seen.set(arm, (seen.get(arm) ?? new Set()).add(item));
    } else if (!RECORDED.has(event_type)) records.push(record);
    // A report that is sent again must not become later than the record.
    else if (!hasDone(state, viewer, item, event_type)) records.push({ ...record, timestamp });
  }
  // Experiments count acts after an item was seen. Reports of acts are backdated, and reports of seen items come late.
  const seen_at = clock.now() - BACKDATED_SECONDS;
  // Read before anything is awaited, because ordinals may be reused later.
  const views = [...seen].map(([arm, items]) => ({
    ...ingest.views.of(viewer, [...items]),
    ...(arm === undefined ? {} : { counted: { arm, is_short: 0, timestamp: seen_at } }),
  }));
  const seen_count = views.reduce((sum, { items }) => sum + items.length, 0);
  return { views, records, count: seen_count + records.length };
}

/**
 * Stores what a viewer did. Resolves when everything is durable and applied.
 * @param account stands for all viewers, who share a part of the write queue
 * @throws ServiceError `write_queue_full`, `store_unavailable`, `state_full`
 */
export async function storeReport(
  ingest: Pick<Ingest, 'ingest' | 'impressions'>,
  { views, records }: Storable,
  account: string,
): Promise<IngestResult> {
  // First, because experiments count acts on items that were shown before.
  await Promise.all(views.map((view) => ingest.impressions(view)));
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
