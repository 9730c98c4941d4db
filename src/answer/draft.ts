import type { SourcedItem } from '../page/mixing.ts';
import type { Request } from '../page/request.ts';
import type { FeedType } from '../plugin/index.ts';
import type { ItemContent, UserContent } from '../state/change.ts';
import type { ItemExplanation } from './explain-parts.ts';
import { writerOf } from './field.ts';
import type { FollowedActsReader } from './followed-acts-reader.ts';
import { type AnswerItem, ITEM_FIELDS, type ItemSource, type ScoreSource } from './item-fields.ts';
import { factsOf, type ItemFacts, metadataOf } from './metadata-fields.ts';

/** The items of an answer, complete but for their metadata. */
export interface Draft {
  items: AnswerItem[];
  /** By item, only when metadata is to be added. */
  facts: ItemFacts[];
}

interface DraftOptions {
  with_metadata: boolean;
  /** By item; only of explained requests. */
  explanations?: readonly ItemExplanation[];
}

const writeItem = writerOf<ItemSource, typeof ITEM_FIELDS>(ITEM_FIELDS);

/** Writes the items of a page. Synchronous, like building the page: both see the same state. */
export function draftAnswer(
  request: Request,
  feed_type: FeedType,
  page: readonly SourcedItem[],
  followed: FollowedActsReader,
  { with_metadata, explanations }: DraftOptions,
): Draft {
  const { state, scratch } = request.engine;
  const ordinals = page.map(({ item }) => item);
  const acts = followed.read(request.viewer, ordinals, scratch);
  const signals = scoreSignals(request, feed_type);
  const items = page.map((sourced, place) =>
    writeItem({ sourced, signals, state, acts: acts[place], explanation: explanations?.[place] }),
  );
  return { items, facts: with_metadata ? ordinals.map((item) => factsOf(state, item)) : [] };
}

/** Trending and popular pages are not about the viewer: they skip the walk that ranks nothing on them. */
export function scoreSignals(request: Request, feed_type: FeedType): ScoreSource['signals'] {
  const of_viewer = feed_type === 'for-you';
  return {
    popular: request.signal('popular'),
    trending: request.signal('trending'),
    affinity: of_viewer ? request.signal('affinity_all') : () => 0,
    interest: of_viewer ? request.signal('interest_all') : () => 0,
  };
}

/** What metadata is made of, beside what the draft has. */
interface Texts {
  contents: ReadonlyMap<number, ItemContent>;
  profiles: ReadonlyMap<number, UserContent>;
  ai_label_threshold: number;
}

/** Completes some items of a draft, by their places, with the texts that were read from the store. */
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
