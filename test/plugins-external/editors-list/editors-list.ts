/**
 * acme/editors_list: a signal that proposes what editors picked, to every for-you feed, whoever
 * the viewer is. A JSON list of item ids, read again every few seconds. ACME_PICKS: its path (picks.json beside
 * this file); ACME_PICKS_SECONDS: 30.
 */
import { join } from 'node:path';
import { definePlugin, defineSignal, type Refreshed, Type } from 'feedloom/plugin';

/** Picks that are read: each is scored for each page. */
const PICKS_MAX = 200;

/** Assigned in `setup`, which runs before anything is compiled. */
let picks: Refreshed<readonly string[]>;

async function readPicks(path: string): Promise<string[]> {
  const list: unknown = await Bun.file(path).json();
  if (!Array.isArray(list) || !list.every((id) => typeof id === 'string')) {
    throw new Error(`${path} must be a JSON list of item ids as text`);
  }
  return [...new Set(list)].slice(0, PICKS_MAX);
}

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  setup(host) {
    const path = Bun.env.ACME_PICKS ?? join(import.meta.dir, 'picks.json');
    picks = host.refresh('picks', Number(Bun.env.ACME_PICKS_SECONDS ?? 30), () => readPicks(path));
  },
  signals: {
    'acme/editors_list': defineSignal({
      summary: 'What editors picked, the first pick first.',
      proposes: { per_item: 1, always: true },
      options: Type.Object({}, { additionalProperties: false }),
      // Ids that the service has not heard of are NONE, which it leaves out.
      reaches: () => (request) =>
        new Map(picks.value.map((id, rank) => [request.item.find(id), PICKS_MAX - rank])),
    }),
  },
});
