import {
  defineCandidateSource,
  definePlugin,
  defineScoringFunction,
  PLUGIN_API,
  type RequestContext,
  Type,
} from 'feedloom/plugin';

const none = Type.Object({}, { additionalProperties: false });
const unpopular = (request: RequestContext) => (item: number) => 1 / (1 + request.likes_count(item));

/** Puts unpopular items first, which no built-in source proposes. */
export default definePlugin({
  meta: { name: 'breadth', version: '1.0.0', api: PLUGIN_API },
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
      compile: () => unpopular,
    }),
  },
  candidate_sources: {
    'breadth/newest_v1.0.0': defineCandidateSource({
      summary: 'The newest, four per item of the page.',
      options: none,
      per_item: () => 4,
      compile: () => (request, wanted) => request.newest(wanted),
    }),
    'breadth/endless_v1.0.0': defineCandidateSource({
      summary: 'As many as there are, whatever is wanted.',
      proposes_for: 'popular_lately',
      options: none,
      compile: () => (request) => request.newest(10_000),
    }),
  },
});
