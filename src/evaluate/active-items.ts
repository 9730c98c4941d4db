import { defineFilter, definePlugin, type Ordinal, PLUGIN_API, type Plugin, Type } from '../plugin/index.ts';

/** Key of the filter in `filters`. */
export const ACTIVE_FILTER = 'evaluate/active';

/** Narrows feeds to the items that one step of an evaluation is about, by way of the public contract. */
export class ActiveItems {
  private item_ids: readonly string[] = [];

  /** Offers the filter `evaluate/active`, whose value is `true`. */
  readonly plugin: Plugin = definePlugin({
    meta: { name: 'evaluate', version: '1.0.0', api: PLUGIN_API },
    filters: {
      [ACTIVE_FILTER]: defineFilter({
        summary: 'Only the items that the present step of an evaluation is about.',
        kind: 'inclusion',
        options: Type.Literal(true),
        compile: () => (request) => {
          const items = new Set<Ordinal>(this.item_ids.map((item_id) => request.item(item_id)));
          return (item) => items.has(item);
        },
      }),
    },
  });

  /** From now on these items alone pass. */
  set(item_ids: readonly string[]): void {
    this.item_ids = item_ids;
  }
}
