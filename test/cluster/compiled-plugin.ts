import { defineFilter, definePlugin, Type } from 'feedloom/plugin';

/** How often the filter was compiled, by all nodes of this process. */
export const control = { compiled: 0 };

/** A third-party filter that counts how often feeds with it are compiled. */
export default definePlugin({
  meta: { name: 'compiled', version: '1.0.0', api: 2 },
  filters: {
    'compiled/counted': defineFilter({
      summary: 'Keeps everything.',
      kind: 'inclusion',
      options: Type.Object({}, { additionalProperties: false }),
      compile: () => {
        control.compiled++;
        return () => () => true;
      },
    }),
  },
});
