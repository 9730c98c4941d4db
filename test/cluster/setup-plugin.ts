import { defineFilter, definePlugin, Type } from 'feedloom/plugin';

/** What the next setups of the plugin do. */
export const control = { setUp: async (): Promise<void> => {} };

/** A third-party plugin whose setup a test decides. */
export default definePlugin({
  meta: { name: 'setup', version: '1.0.0', api: 2 },
  setup: () => control.setUp(),
  filters: {
    'setup/everything': defineFilter({
      summary: 'Keeps everything.',
      kind: 'inclusion',
      options: Type.Object({}, { additionalProperties: false }),
      compile: () => () => () => true,
    }),
  },
});
