import {
  defineFilter,
  definePlugin,
  definePromotionStrategy,
  type MixInput,
  type Slot,
  Type,
} from 'feedloom/plugin';

const options = Type.Object({}, { additionalProperties: false });

/** A page that begins with some promoted items. */
function promotedFirst({ main, promoted, page }: MixInput, count: number): Slot[] {
  const first = promoted.slice(0, count).map(({ item }) => item);
  const rest = main.filter((item) => !first.includes(item));
  return [
    ...first.map((item) => ({ item, promoted: true })),
    ...rest.map((item) => ({ item, promoted: false })),
  ].slice(0, page);
}

/** A plugin with a valid promotion strategy and some that break the rules. */
export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  filters: {
    'acme/only': defineFilter({
      summary: 'Keeps everything.',
      kind: 'inclusion',
      options,
      compile: () => () => () => true,
    }),
  },
  promotion_strategies: {
    'acme/first_v1.0.0': definePromotionStrategy({
      summary: 'Some promoted items first.',
      options: Type.Object(
        { count: Type.Integer({ minimum: 1, default: 1 }) },
        { additionalProperties: false },
      ),
      compile:
        ({ count }) =>
        (input) =>
          promotedFirst(input, count),
    }),
    'acme/share_v1.0.0': definePromotionStrategy({
      summary: 'A share of the page, promoted items first.',
      options: Type.Object(
        { percent: Type.Integer({ minimum: 10, maximum: 100, description: 'an integer from 10 to 100' }) },
        { additionalProperties: false },
      ),
      compile:
        ({ percent }) =>
        (input) =>
          promotedFirst(input, (input.page * percent) / 100),
    }),
    'acme/pair_v1.0.0': definePromotionStrategy({
      summary: 'A share of the page, among options of several parts.',
      options: Type.Intersect([
        Type.Object({ percent: Type.Integer({ minimum: 0, maximum: 100, default: 80 }) }),
        Type.Union([
          Type.Object({ name: Type.String({ default: '' }) }),
          Type.Object({ number: Type.Integer() }),
        ]),
      ]),
      compile:
        ({ percent }) =>
        (input) =>
          promotedFirst(input, (input.page * percent) / 100),
    }),
    'acme/holes_v1.0.0': definePromotionStrategy({
      summary: 'Slots of which some were never filled.',
      options,
      compile:
        () =>
        ({ main, page }) => {
          const slots = new Array(page);
          slots[0] = { item: main[0], promoted: false };
          return slots;
        },
    }),
    'acme/alike_v1.0.0': definePromotionStrategy({
      summary: 'What only looks like a list.',
      options,
      compile: () => () => ({ length: 1, map: () => [{}] }) as never,
    }),
    'acme/throws_v1.0.0': definePromotionStrategy({
      summary: 'Throws.',
      options,
      compile: () => () => {
        throw new Error('the cause within the plugin');
      },
    }),
    'acme/twice_v1.0.0': definePromotionStrategy({
      summary: 'Every slot has the same item.',
      options,
      compile:
        () =>
        ({ main, page }) =>
          Array.from({ length: page }, () => ({ item: main[0], promoted: false })),
    }),
    'acme/much_v1.0.0': definePromotionStrategy({
      summary: 'More than the page has.',
      options,
      compile:
        () =>
        ({ main }) =>
          main.map((item) => ({ item, promoted: false })),
    }),
    'acme/nothing_v1.0.0': definePromotionStrategy({
      summary: 'An empty page.',
      options,
      compile: () => () => [],
    }),
  },
});
