import { addMetadata, type Draft } from '../answer/draft.ts';
import type { ItemContent, UserContent } from '../state/change.ts';
import type { Store } from '../store/store.ts';
import { ContentCache } from './content-cache.ts';

/** Contents of items, and of profiles, kept in memory. */
const CACHED_MAX = 40_000;

/** Contents of items and profiles of their authors, for answers with metadata. */
export class PageContents {
  private readonly contents: ContentCache<ItemContent>;
  private readonly profiles: ContentCache<UserContent>;

  constructor(
    store: Store,
    private readonly ai_label_threshold: number,
  ) {
    this.contents = new ContentCache(CACHED_MAX, (...asked) => store.readItems(...asked));
    this.profiles = new ContentCache(CACHED_MAX, (...asked) => store.readUsers(...asked));
  }

  /** Reads what the answer lacks. @throws ServiceError `store_unavailable`; the reason of `given_up` */
  async addTo(draft: Draft, given_up: AbortSignal | undefined): Promise<void> {
    const { facts } = draft;
    const item_seqs = facts.map(({ content_seq }) => content_seq);
    const contents = await this.contents.get(item_seqs, given_up);
    const authors = new Set(facts.map(({ author_seq }) => author_seq).filter((seq) => seq > 0));
    const profiles = await this.profiles.get([...authors], given_up);
    addMetadata(draft, contents, profiles, this.ai_label_threshold);
  }
}
