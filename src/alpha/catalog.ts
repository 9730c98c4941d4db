import { NONE } from '../model/key.ts';
import type { ItemContent } from '../model/records/item.ts';
import { defineIntegration, type Integration, type Metadata, Type } from '../plugin/index.ts';
import { ContentCache } from '../serve/content-cache.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';

const CONTENTS_CACHED_MAX = 40_000;

/** The ingested metadata of tokens and NFTs. */
export class Catalog {
  private readonly contents: ContentCache<ItemContent>;

  constructor(
    private readonly state: State,
    store: Store,
  ) {
    this.contents = new ContentCache(CONTENTS_CACHED_MAX, (...asked) => store.readItems(...asked));
  }

  /**
   * The metadata of each item. `{}` for an item without metadata.
   * @throws ServiceError `store_unavailable`; the reason of `given_up`
   */
  async describe(item_ids: readonly string[], given_up?: AbortSignal): Promise<Metadata[]> {
    const { items } = this.state;
    const seqs = item_ids.map((item_id) => {
      const item = items.names.find(item_id);
      return item === NONE ? 0 : items.content_seq(item);
    });
    const contents = await this.contents.get(
      seqs.filter((seq) => seq > 0),
      given_up,
    );
    return seqs.map((seq) => contents.get(seq)?.metadata ?? {});
  }
}

/** Makes the provider `catalog`. @param describe reads the current catalog */
export function catalogProvider(describe: Catalog['describe']): Integration {
  return defineIntegration({
    summary: 'Metadata that was ingested through POST /<chain>/items or imported from tokens.jsonl.',
    options: Type.Object({}, { additionalProperties: false }),
    describe: () => describe,
  });
}
