import { addMetadata, type Draft } from '../answer/draft.ts';
import { metadataLeftOut } from '../answer/page-answer.ts';
import { LIMITS } from '../limits.ts';
import type { ItemContent } from '../model/records/item.ts';
import type { UserContent } from '../model/records/user.ts';
import type { Store } from '../store/store.ts';
import { ContentCache } from './content-cache.ts';

const CACHED_MAX = 40_000;
/** Items per read. A page of large texts stops reading before all of them are read. */
const READ_ITEMS = 100;
/** Approximate size of an item in an answer, without its content and its author's profile. */
const ITEM_BYTES = 1_000;

/** Reads contents of items and profiles of their authors for answers with metadata. */
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

  /**
   * Adds contents to a draft, as far as they fit an answer.
   * @returns a warning if the last items have no metadata
   * @throws ServiceError `store_unavailable`; the reason of `given_up`
   */
  async addTo(draft: Draft, given_up: AbortSignal | undefined): Promise<string | undefined> {
    const { facts } = draft;
    let left = LIMITS.answer_bytes_max - facts.length * ITEM_BYTES;
    for (let from = 0; from < facts.length; from += READ_ITEMS) {
      const slice = facts.slice(from, from + READ_ITEMS);
      const contents = await this.contents.get(
        slice.map(({ content_seq }) => content_seq),
        given_up,
      );
      const authors = new Set(slice.map(({ author_seq }) => author_seq).filter((seq) => seq > 0));
      const profiles = await this.profiles.get([...authors], given_up);
      const fits = slice.findIndex(({ content_seq, author_seq }) => {
        left -= bytesIn(this.contents, contents.get(content_seq));
        left -= bytesIn(this.profiles, profiles.get(author_seq));
        return left < 0;
      });
      const to = fits < 0 ? from + slice.length : from + fits;
      addMetadata(draft, { from, to }, { contents, profiles, ai_label_threshold: this.ai_label_threshold });
      if (fits >= 0) return metadataLeftOut(facts.length - to, LIMITS.answer_bytes_max);
    }
    return undefined;
  }
}

function bytesIn<Content extends object>(cache: ContentCache<Content>, content: Content | undefined): number {
  return content === undefined ? 0 : cache.bytesOf(content);
}
