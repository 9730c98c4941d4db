import {
  definePlugin,
  definePromotionStrategy,
  defineScoringFunction,
  defineSignal,
  Type,
} from 'feedloom/plugin';

/** Options that are no objects, or have a default as a whole. */
export default definePlugin({
  meta: { name: 'whole', version: '1.0.0', api: 2 },
  signals: {
    'whole/first': defineSignal({
      summary: 'A few items.',
      proposes: { per_item: 1, always: true },
      options: Type.Union([Type.Integer({ default: 3 }), Type.Null()]),
      reaches: (n) => () => new Map(Array.from({ length: n ?? 0 }, (_, item) => [item, 1])),
    }),
    'whole/part': defineSignal({
      summary: 'The same of every item.',
      depends_on: 'item',
      options: Type.Integer({ minimum: 1, default: 4 }),
      compile: (n) => () => () => 1 / n,
    }),
  },
  scoring_functions: {
    'whole/number_v1.0.0': defineScoringFunction({
      summary: 'The same of every item.',
      options: Type.Integer({ minimum: 1, default: 3 }),
      compile: (n) => () => () => n,
    }),
    'whole/list_v1.0.0': defineScoringFunction({
      summary: 'How many texts there are.',
      options: Type.Array(Type.String(), { default: ['a', 'b'] }),
      compile: (texts) => () => () => texts.length,
    }),
    'whole/object_v1.0.0': defineScoringFunction({
      summary: 'A sum.',
      options: Type.Object({ a: Type.Integer(), b: Type.Integer({ default: 1 }) }, { default: { a: 5 } }),
      compile:
        ({ a, b }) =>
        () =>
        () =>
          a + b,
    }),
    'whole/entries_v1.0.0': defineScoringFunction({
      summary: 'A sum.',
      options: Type.Record(Type.String(), Type.Integer(), { default: { a: 5, b: 1 } }),
      compile: (entries) => () => () => Object.values(entries).reduce((sum, entry) => sum + entry, 0),
    }),
    'whole/part_v1.0.0': defineScoringFunction({
      summary: 'By whole/part.',
      options: Type.Object({}),
      compile: () => (request) => request.signal('whole/part'),
    }),
  },
  promotion_strategies: {
    'whole/first_v1.0.0': definePromotionStrategy({
      summary: 'Some promoted items first.',
      options: Type.Integer({ minimum: 0, default: 2 }),
      compile:
        (count) =>
        ({ main, promoted, page }) => {
          const first = promoted.slice(0, count).map(({ item }) => item);
          const rest = main.filter((item) => !first.includes(item));
          const slots = [
            ...first.map((item) => ({ item, promoted: true })),
            ...rest.map((item) => ({ item, promoted: false })),
          ];
          return slots.slice(0, page);
        },
    }),
  },
});
