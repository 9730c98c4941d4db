import type { FeedPlan } from '../feeds/plan.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { UserContent } from '../model/records/user.ts';
import type { PageContext } from '../page/page-context.ts';
import type { SourcedItem } from '../page/page-item.ts';
import type { FeedType } from '../plugin/index.ts';
import { writerOf } from './field.ts';
import type { FollowedActsReader } from './followed-acts.ts';
import {
  type AnswerItem,
  ITEM_FIELDS,
  type ItemExplanation,
  type ItemSource,
  type ScoreSource,
} from './item-fields.ts';
import { factsOf, type ItemFacts, metadataOf } from './metadata-fields.ts';
import { pageReasons } from './reasons.ts';

export interface Draft {
  items: AnswerItem[];
  /** Facts by item. Empty unless metadata is requested. */
  facts: ItemFacts[];
}

interface DraftOptions {
  with_metadata: boolean;
  /** Explanations by item. Only for explained requests. */
  explanations?: readonly ItemExplanation[];
  /** The plan of the page, if reasons are requested. */
  reasons_of?: FeedPlan;
}

const writeItem = writerOf<ItemSource, typeof ITEM_FIELDS>(ITEM_FIELDS);

/** Drafts the items of a page. Synchronous, like building the page, so both see the same state. */
export function draftAnswer(
  context: PageContext,
  feed_type: FeedType,
  page: readonly SourcedItem[],
  followed: FollowedActsReader,
  { with_metadata, explanations, reasons_of }: DraftOptions,
): Draft {
  const { state, scratch } = context.engine;
  const ordinals = page.map(({ item }) => item);
  const acts = followed.read(context.viewer.user, ordinals, scratch, context.now);
  const signals = scoreSignals(context, feed_type);
  const reasonsFor = reasons_of && pageReasons(reasons_of, context);
  const items = page.map((sourced, place) => {
    const of_item = acts[place];
    const reasons = reasonsFor?.(sourced, of_item);
    return writeItem({ sourced, signals, state, acts: of_item, explanation: explanations?.[place], reasons });
  });
  return { items, facts: with_metadata ? ordinals.map((item) => factsOf(state, item)) : [] };
}

/** Trending and popular pages do not depend on the viewer, so they skip the signals of the viewer's walk. */
export function scoreSignals(context: PageContext, feed_type: FeedType): ScoreSource['signals'] {
  const of_viewer = feed_type === 'for-you';
  return {
    popular: context.signal('popular'),
    trending: context.signal('trending'),
    affinity: of_viewer ? context.signal('affinity_all') : () => 0,
    interest: of_viewer ? context.signal('interest_all') : () => 0,
  };
}

interface Texts {
  contents: ReadonlyMap<number, ItemContent>;
  profiles: ReadonlyMap<number, UserContent>;
  ai_label_threshold: number;
}

/** Adds metadata to items of a draft, at the given places, from the texts that the store returned. */
export function addMetadata(
  { items, facts }: Draft,
  { from, to }: { from: number; to: number },
  { contents, profiles, ai_label_threshold }: Texts,
): void {
  for (let place = from; place < to; place++) {
    const of_item = facts[place];
    const content = contents.get(of_item.content_seq);
    const author = profiles.get(of_item.author_seq);
    items[place].metadata = metadataOf({ facts: of_item, content, author, ai_label_threshold });
  }
}
