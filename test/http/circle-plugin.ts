import {
  defineFilter,
  definePlugin,
  defineScoringFunction,
  defineSignal,
  defineVisibilityRule,
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
  meta: { name: 'circle', version: '1.0.0', api: 2 },
  signals: {
    'circle/acts': defineSignal({
      summary: 'How many followed users acted on an item, of the most that did on one.',
      options: none,
      reaches: () => (request) => request.viewer.reach('social_proof', {}),
    }),
  },
  filters: {
    'circle/above': defineFilter({
      summary: 'Only items for which a signal is higher.',
      kind: 'inclusion',
      options: SIGNAL,
      compile: above,
    }),
    'circle/best': defineFilter({
      summary: 'Only items that are as good as the best of the circle.',
      kind: 'inclusion',
      options: Type.Literal(true),
      compile: () => (request) => {
        const acts = request.signal('circle/acts');
        return (item) => acts(item) >= request.greatest('circle/acts', acts);
      },
    }),
  },
  visibility_rules: {
    'circle/above_v1.0.0': defineVisibilityRule({
      summary: 'Only items for which a signal is higher.',
      options: SIGNAL,
      compile: above,
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
