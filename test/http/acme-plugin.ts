import {
  anyOf,
  defineFilter,
  definePlugin,
  defineScoringFunction,
  defineVisibilityRule,
  Type,
  valuesNamed,
} from 'feedloom/plugin';

/** A third-party plugin: one extension of each kind that a feed request can name, and two that fail. */
export default definePlugin({
  meta: { name: 'acme', version: '1.2.3', api: 2 },
  filters: {
    'acme/since': defineFilter({
      summary: 'Only items created at or after a moment.',
      kind: 'inclusion',
      options: Type.Object({ seconds: Type.Number({ minimum: 0 }) }, { additionalProperties: false }),
      compile:
        ({ seconds }) =>
        (request) =>
        (item) =>
          request.item.created_at(item) >= seconds,
    }),
    'acme/in_channel': defineFilter({
      summary: 'Only items of one channel.',
      kind: 'inclusion',
      options: Type.Object({ channel: Type.String() }, { additionalProperties: false }),
      compile: ({ channel }) => anyOf('channel', [channel]),
      named_values: ({ channel }) =>
        channel === 'broken'
          ? [{ column: 'chanel' as 'channel', given: channel, values: [channel] }]
          : valuesNamed('channel', [channel]),
    }),
    'acme/greedy': defineFilter({
      summary: 'Would like to be near everything.',
      kind: 'inclusion',
      options: Type.Object({}, { additionalProperties: false }),
      compile: () => (request) => {
        (request.defaults as { geo_radius_km: number }).geo_radius_km = 20_000;
        return () => true;
      },
    }),
  },
  scoring_functions: {
    'acme/oldest_v1.0.0': defineScoringFunction({
      summary: 'The oldest first.',
      options: Type.Object({ scale: Type.Number({ exclusiveMinimum: 0, default: 1 }) }),
      compile:
        ({ scale }) =>
        (request) =>
        (item) =>
          scale / request.item.created_at(item),
    }),
    'acme/broken_v1.0.0': defineScoringFunction({
      summary: 'Not a number.',
      options: Type.Object({}),
      compile: () => () => () => Number.NaN,
    }),
  },
  visibility_rules: {
    'acme/mute_v1.0.0': defineVisibilityRule({
      summary: 'Drops items of some authors.',
      options: Type.Object({ authors: Type.Array(Type.String()) }, { additionalProperties: false }),
      compile:
        ({ authors }) =>
        (request) => {
          const muted = new Set(authors.map((author) => request.user.find(author)));
          return (item) => !muted.has(request.item.author(item));
        },
    }),
    'acme/throws_v1.0.0': defineVisibilityRule({
      summary: 'Throws.',
      options: Type.Object({}),
      compile: () => () => () => {
        throw new Error('the cause within the plugin');
      },
    }),
  },
});
