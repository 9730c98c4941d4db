/** acme/every_nth_v1.0.0: a promotion strategy that puts one promoted item into every n slots: `{"n": 5}`. */
import { definePlugin, definePromotionStrategy, type Slot, Type } from 'feedloom/plugin';

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  promotion_strategies: {
    'acme/every_nth_v1.0.0': definePromotionStrategy({
      summary: 'One promoted item in every n slots.',
      options: Type.Object(
        {
          n: Type.Integer({ minimum: 2, maximum: 100, default: 5, description: 'an integer from 2 to 100' }),
        },
        { additionalProperties: false, examples: [{ n: 2 }] },
      ),
      compile:
        ({ n }) =>
        ({ main, promoted, page }) => {
          // A promoted item that the feed would show anyway is shown once, as promoted.
          const shown = new Set(promoted.slice(0, Math.floor(page / n)).map(({ item }) => item));
          const rest = main.filter((item) => !shown.has(item));
          const next = [...shown];
          const slots: Slot[] = [];
          for (let slot = 1; slot <= page; slot++) {
            const item = (slot % n === 0 ? next.shift() : undefined) ?? rest.shift() ?? next.shift();
            if (item === undefined) break;
            slots.push({ item, promoted: shown.has(item) });
          }
          return slots;
        },
    }),
  },
});
