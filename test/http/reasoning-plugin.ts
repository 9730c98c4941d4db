import { definePlugin, defineScoringFunction, defineSignal, Type } from '../../src/plugin/index.ts';

const options = Type.Object({}, { additionalProperties: false });

/** A signal that says what it means for viewers, and one that does not. */
export default definePlugin({
  meta: { name: 'reasoning', version: '1.0.0', api: 2 },
  signals: {
    'reasoning/tasteful': defineSignal({
      summary: 'One.',
      depends_on: 'content',
      reason: 'similar_taste',
      options,
      compile: () => () => () => 1,
    }),
    'reasoning/silent': defineSignal({
      summary: 'One.',
      depends_on: 'content',
      options,
      compile: () => () => () => 1,
    }),
  },
  scoring_functions: Object.fromEntries(
    ['tasteful', 'silent'].map((name) => [
      `reasoning/${name}_v1.0.0`,
      defineScoringFunction({
        summary: 'A signal.',
        options,
        compile: () => (request) => request.signal(`reasoning/${name}`),
      }),
    ]),
  ),
});
