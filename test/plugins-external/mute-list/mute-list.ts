/**
 * acme/mute_v1.0.0: a rule that drops items of the authors whose user ids a JSON file lists. The file is read
 * again every few seconds. ACME_MUTE_LIST: its path (muted.json beside this file); ACME_MUTE_SECONDS: 30.
 */
import { join } from 'node:path';
import { definePlugin, defineVisibilityRule, type IdSet, type Refreshed, Type } from 'feedloom/plugin';

/** Assigned in `setup`, which runs before anything is compiled. */
let muted: Refreshed<IdSet>;

async function readList(path: string): Promise<string[]> {
  const list: unknown = await Bun.file(path).json();
  if (!Array.isArray(list) || !list.every((id) => typeof id === 'string')) {
    throw new Error(`${path} must be a JSON list of user ids as text`);
  }
  return list;
}

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  setup(host) {
    const path = Bun.env.ACME_MUTE_LIST ?? join(import.meta.dir, 'muted.json');
    const seconds = Number(Bun.env.ACME_MUTE_SECONDS ?? 30);
    muted = host.refresh('mute list', seconds, async () => host.user_set(await readList(path)));
    host.log.info({ path, seconds }, 'muting authors');
  },
  visibility_rules: {
    'acme/mute_v1.0.0': defineVisibilityRule({
      summary: 'Drops items of muted authors.',
      options: Type.Object({}, { additionalProperties: false }),
      compile: () => (request) => {
        const authors = muted.value;
        return (item) => !authors.has(request.item.author(item));
      },
    }),
  },
});
