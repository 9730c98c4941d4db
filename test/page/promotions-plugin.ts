import { definePlugin, definePromotionStrategy, type MixInput, Type } from 'feedloom/plugin';
import items from '../../plugins/promotions/items.ts';

/** The number of promoted items that strategies received since the last reading. */
export const handed = { pages: 0, items: 0 };

function counted(within_page: boolean) {
  return definePromotionStrategy({
    summary: 'Hand-picked items, counted.',
    options: Type.Object({}, { additionalProperties: false }),
    within_page,
    compile: (options) => {
      const mix = items.compile(options);
      return (input: MixInput) => {
        handed.pages++;
        handed.items += input.promoted.length;
        return mix(input);
      };
    },
  });
}

/**
 * The built-in strategy of hand-picked items, once with only the items that fit the page, and once with all items.
 */
export default definePlugin({
  meta: { name: 'counted', version: '1.0.0', api: 2 },
  promotion_strategies: { 'counted/few_v1.0.0': counted(true), 'counted/all_v1.0.0': counted(false) },
});
