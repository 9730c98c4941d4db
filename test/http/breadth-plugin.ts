import {
  definePlugin,
  defineScoringFunction,
  defineSignal,
  type RequestContext,
  Type,
} from 'feedloom/plugin';

const none = Type.Object({}, { additionalProperties: false });
const unpopular = (request: RequestContext) => (item: number) => 1 / (1 + request.item.likes_count(item));

/** Puts unpopular items first, which no built-in source proposes. */
export default definePlugin({
  meta: { name: 'breadth', version: '1.0.0', api: 2 },
  scoring_functions: {
    'breadth/unpopular_v1.0.0': defineScoringFunction({
      summary: 'The least popular first.',
      options: none,
      signals: () => ['popular'],
      compile: () => unpopular,
    }),
    'breadth/unpopular_of_many_v1.0.0': defineScoringFunction({
      summary: 'The least popular first, of 1,200 candidates.',
      options: none,
      candidate_limit: 1_200,
      signals: () => ['popular'],
      compile: () => unpopular,
    }),
  },
  signals: {
    'breadth/recency': defineSignal({
      summary: 'The newest, four per item of the page.',
      depends_on: 'content',
      proposes: { per_item: 4, always: true, name: 'breadth/newest' },
      options: none,
      compile: () => (request) => (item) => request.item.created_at(item) / 2 ** 33,
    }),
    'breadth/everything': defineSignal({
      summary: 'The least popular, as many per item of the page as may be.',
      depends_on: 'item',
      proposes: { per_item: 100 },
      options: none,
      compile: () => unpopular,
    }),
  },
});
