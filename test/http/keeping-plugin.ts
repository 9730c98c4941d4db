import {
  defineCandidateSource,
  defineFilter,
  definePlugin,
  PLUGIN_API,
  type RequestContext,
  Type,
} from 'feedloom/plugin';

let kept: RequestContext | undefined;

/** Calls on a kept request. */
const QUESTIONS: Record<string, (request: RequestContext) => unknown> = {
  newest: (request) => request.newest(9),
  items_by: (request) => request.items_by('author', request.author(1), 9),
  best: (request) => request.best('popular', 9),
  'best of the viewer': (request) => request.best('affinity_all', 9),
  greatest: (request) => request.greatest_of_candidates(() => 1),
  social_proof: (request) => request.social_proof(),
  signal: (request) => request.signal('popular'),
};

/** Keeps a request after its end, and calls it during a later one. */
export default definePlugin({
  meta: { name: 'keeping', version: '1.0.0', api: PLUGIN_API },
  candidate_sources: {
    'keeping/first_v1.0.0': defineCandidateSource({
      summary: 'Nothing; keeps the first request.',
      options: Type.Object({}),
      compile: () => (request) => {
        kept ??= request;
        return [];
      },
    }),
  },
  filters: {
    'keeping/asks': defineFilter({
      summary: 'Everything when the kept request refuses to answer, else nothing.',
      kind: 'inclusion',
      options: Type.String({ description: Object.keys(QUESTIONS).join(', ') }),
      compile: (question) => () => {
        let refused = false;
        try {
          QUESTIONS[question](kept!);
        } catch (error) {
          refused = Bun.inspect(error).includes('the request has ended');
        }
        return () => refused;
      },
    }),
  },
});
