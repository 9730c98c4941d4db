import {
  defineFilter,
  definePlugin,
  defineScoringFunction,
  defineSignal,
  defineVisibilityRule,
  Type,
} from 'feedloom/plugin';

/** A third-party plugin whose extensions read texts and fields. One of them does not declare its field. */
export default definePlugin({
  meta: { name: 'reader', version: '1.0.0', api: 2 },
  filters: {
    'reader/containing': defineFilter({
      summary: 'Items whose text contains something.',
      kind: 'inclusion',
      reads: ['item.text'],
      options: Type.String({ minLength: 1 }),
      compile: (part) => (request) => (item) => request.item.field(item, 'text').includes(part),
    }),
    'reader/forgetful': defineFilter({
      summary: 'Reads a field that it did not declare.',
      kind: 'inclusion',
      options: Type.Object({}),
      compile: () => (request) => (item) => request.item.field(item, 'metadata.secret') === 1,
    }),
  },
  signals: {
    'reader/price': defineSignal({
      summary: 'How cheap an item is, 0 when nothing is known.',
      depends_on: 'item',
      reads: ['item.metadata.shop.price'],
      options: Type.Object({}),
      compile: () => (request) => (item) => {
        const price = request.item.field(item, 'metadata.shop.price');
        return typeof price === 'number' ? 1 / (1 + price) : 0;
      },
    }),
  },
  scoring_functions: {
    'reader/cheapest_v1.0.0': defineScoringFunction({
      summary: 'The cheapest first.',
      options: Type.Object({}),
      compile: () => (request) => request.signal('reader/price'),
    }),
  },
  visibility_rules: {
    'reader/named_v1.0.0': defineVisibilityRule({
      summary: 'Only items of authors with a username.',
      reads: ['user.username', 'user.metadata.plan'],
      options: Type.Object({ plan: Type.Optional(Type.String()) }),
      compile:
        ({ plan }) =>
        (request) =>
        (item) => {
          const author = request.item.author(item);
          if (request.user.field(author, 'username') === undefined) return false;
          return plan === undefined || request.user.field(author, 'metadata.plan') === plan;
        },
    }),
  },
});
