import { definePlugin, defineScoringFunction, defineSignal, Type } from 'feedloom/plugin';

const options = Type.Object({}, { additionalProperties: false });

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  signals: {
    'acme/first_letter': defineSignal({
      summary: '1 for items of authors whose name begins with a q.',
      depends_on: 'viewer',
      reads: ['user.username'],
      options,
      compile: () => (request) => (item) =>
        String(request.user.field(request.item.author(item), 'username') ?? '').startsWith('q') ? 1 : 0,
    }),
  },
  scoring_functions: {
    'acme/learned_v1.0.0': defineScoringFunction({
      summary: 'The chance that shown pages taught.',
      options,
      learns: () => ['acme/first_letter'],
      compile: () => (request) => {
        const { logit } = request.learnt();
        return (item) => 1 / (1 + Math.exp(-logit(item)));
      },
      parts: () => (request) => request.learnt().terms,
    }),
  },
});
