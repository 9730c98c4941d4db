import { definePlugin, defineSignal, type Ordinal, Type } from 'feedloom/plugin';

/** What the signal `planted/oracle` says of a user and an item, set by a program in the same process. */
export const PLANTED: { value(user: Ordinal, item: Ordinal): number } = { value: () => 0 };

/** A signal that knows what readers will do, and may lie about it. */
export default definePlugin({
  meta: { name: 'planted', version: '1.0.0', api: 2 },
  signals: {
    'planted/oracle': defineSignal({
      summary: 'What a program says of a reader and an item.',
      depends_on: 'viewer',
      options: Type.Object({}, { additionalProperties: false }),
      compile:
        () =>
        ({ viewer }) =>
        (item) =>
          PLANTED.value(viewer.user, item),
    }),
  },
});
