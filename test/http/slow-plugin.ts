import {
  defineFilter,
  definePlugin,
  definePromotionStrategy,
  defineScoringFunction,
  defineSignal,
  Type,
} from 'feedloom/plugin';

/** The clock of the test, which each call of the plugin moves on. */
export const clock = { now_ms: 0 };

const CALL_MS = 100;
const options = Type.Object({}, { additionalProperties: false });

function takeLong(): void {
  clock.now_ms += CALL_MS;
}

/** A third-party plugin whose calls each take a tenth of a second of the test's clock. */
export default definePlugin({
  meta: { name: 'slow', version: '1.0.0', api: 2 },
  filters: {
    'slow/nothing': defineFilter({
      summary: 'Keeps nothing.',
      kind: 'inclusion',
      options,
      compile: () => () => () => {
        takeLong();
        return false;
      },
    }),
  },
  scoring_functions: {
    'slow/score_v1.0.0': defineScoringFunction({
      summary: 'All alike.',
      options,
      compile: () => () => () => {
        takeLong();
        return 1;
      },
    }),
    'slow/by_signal_v1.0.0': defineScoringFunction({
      summary: 'By a slow signal.',
      options,
      compile: () => (request) => {
        const value = request.signal('slow/signal');
        return (item) => value(item);
      },
    }),
  },
  signals: {
    'slow/signal': defineSignal({
      summary: 'All alike.',
      options,
      depends_on: 'viewer',
      compile: () => () => () => {
        takeLong();
        return 1;
      },
    }),
  },
  promotion_strategies: {
    'slow/mix_v1.0.0': definePromotionStrategy({
      summary: 'The main list.',
      options,
      compile:
        () =>
        ({ main, page }) => {
          takeLong();
          return main.slice(0, page).map((item) => ({ item, promoted: false }));
        },
    }),
  },
});
