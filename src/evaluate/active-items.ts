import { PLUGIN_API } from '../plugin/api.ts';
import {
  defineFilter,
  definePlugin,
  NONE,
  type Ordinal,
  type Plugin,
  type RequestContext,
  Type,
} from '../plugin/index.ts';

export const ACTIVE_FILTER = 'evaluate/active';

/** Restricts feeds to the items of one evaluation step, with a filter of the public contract. */
export class ActiveItems {
  private item_ids: readonly string[] = [];

  /** Plugin with the filter `evaluate/active`, whose value is `true`. */
  readonly plugin: Plugin = definePlugin({
    meta: { name: 'evaluate', version: '1.0.0', api: PLUGIN_API },
    filters: {
      [ACTIVE_FILTER]: defineFilter({
        summary: 'Only the items of the current evaluation step.',
        kind: 'inclusion',
        options: Type.Literal(true),
        compile: () => (request) => {
          const items = new Set(this.found(request));
          return (item) => items.has(item);
        },
        postings: () => (request) => ({ items: this.found(request) }),
      }),
    },
  });

  private found({ item }: RequestContext): Ordinal[] {
    return this.item_ids.map((item_id) => item.find(item_id)).filter((found) => found !== NONE);
  }

  set(item_ids: readonly string[]): void {
    this.item_ids = item_ids;
  }
}
