import {
  defineFilter,
  definePlugin,
  defineScoringFunction,
  defineSignal,
  defineVisibilityRule,
  PLUGIN_API,
  type RequestContext,
  Type,
} from 'feedloom/plugin';

const none = Type.Object({}, { additionalProperties: false });
const SIGNAL = Type.Object(
  { signal: Type.String(), above: Type.Number({ default: 0 }) },
  { additionalProperties: false },
);
type OnSignal = { signal: string; above: number };

const above =
  ({ signal, above }: OnSignal) =>
  (request: RequestContext) => {
    const value = request.signal(signal);
    return (item: number) => value(item) > above;
  };

/** Filters and rules that ask for signals, and for lists of what may be shown. */
export default definePlugin({
  meta: { name: 'circle', version: '1.0.0', api: PLUGIN_API },
  signals: {
    'circle/acts': defineSignal({
      summary: 'How many followed users acted on an item, of the most that did on one.',
      depends_on: 'viewer',
      options: none,
      compile: () => (request) => request.share(request.social_proof()),
      reaches: () => (request) => request.social_proof(),
    }),
  },
  filters: {
    'circle/above': defineFilter({
      summary: 'Only items for which a signal is higher.',
      kind: 'inclusion',
      options: SIGNAL,
      compile: above,
    }),
    'circle/newest': defineFilter({
      summary: 'Only the newest items, looked for at each item.',
      kind: 'inclusion',
      options: Type.Integer({ minimum: 1 }),
      compile: (count) => (request) => (item) => request.newest(count).includes(item),
    }),
  },
  visibility_rules: {
    'circle/above_v1.0.0': defineVisibilityRule({
      summary: 'Only items for which a signal is higher.',
      options: SIGNAL,
      compile: above,
    }),
    'circle/first_v1.0.0': defineVisibilityRule({
      summary: 'Only the first two of the circle, looked for at each item.',
      options: none,
      compile: () => (request) => (item) => request.best('circle/acts', 2).includes(item),
    }),
  },
  scoring_functions: {
    'circle/acts_v1.0.0': defineScoringFunction({
      summary: 'By circle/acts.',
      options: none,
      compile: () => (request) => request.signal('circle/acts'),
    }),
  },
});
