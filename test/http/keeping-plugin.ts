import { defineFilter, definePlugin, defineSignal, type RequestContext, Type } from 'feedloom/plugin';

let kept: RequestContext | undefined;

/** Calls on a kept request. */
const QUESTIONS: Record<string, (request: RequestContext) => unknown> = {
  best: (request) => request.greatest('popular', () => 1),
  'best of the viewer': (request) => request.greatest('affinity_all', () => 1),
  social_proof: (request) => request.viewer.reach('social_proof', {}),
  signal: (request) => request.signal('popular'),
};

/** Keeps a request after its end, and calls it during a later one. */
export default definePlugin({
  meta: { name: 'keeping', version: '1.0.0', api: 2 },
  signals: {
    'keeping/first': defineSignal({
      summary: 'Nothing; keeps the first request.',
      proposes: { per_item: 1, always: true },
      options: Type.Object({}),
      reaches: () => (request) => {
        kept ??= request;
        return new Map();
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
