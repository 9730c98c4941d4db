import { monotonicMs } from '../clock.ts';
import type { Engine } from '../page/engine.ts';
import type { PluginLog } from '../plugin/index.ts';
import { FeedMeter } from './feed-meter.ts';
import { PageBuilder, type PageBuilderOptions } from './page-builder.ts';
import { PluginTiming } from './plugin-timing.ts';
import type { PagePreparer } from './prepare.ts';

/** The approximate number of pages, and the maximum time for them. */
const PAGES = 4_096;
const WITHIN_MS = 2_000;

/**
 * Builds for-you pages of some viewers without requests, before a service is ready.
 *
 * The first pages of a process take many times longer than later ones, because their code is not compiled yet and the
 * memory that they read is not cached. It takes some thousand pages until they are as fast as later ones. Nothing is
 * recorded or counted.
 * @param slice awaited after each page
 */
export async function rehearse(
  engine: Engine,
  preparer: PagePreparer,
  options: PageBuilderOptions & { log: PluginLog },
  slice: () => Promise<void>,
): Promise<void> {
  const timing = new PluginTiming(engine.registry, monotonicMs, options.log);
  const builder = new PageBuilder(engine, options, new FeedMeter(monotonicMs), timing, () => {});
  const until_ms = monotonicMs() + WITHIN_MS;
  for (const user_id of someViewers(engine)) {
    builder.build(await preparer.prepare('for-you', { user_id, impression_count: 0 }, user_id));
    await slice();
    if (monotonicMs() > until_ms) return;
  }
}

/** About `PAGES` users with acts, spread over all users. Pages of those with preferences may wait for words. */
function someViewers({ state }: Engine): string[] {
  const { names } = state.users;
  const step = Math.max(1, Math.floor(names.size / PAGES));
  const viewers: string[] = [];
  for (let user = 0; user < names.size; user += step) {
    const is_usual = names.holds(user) && state.preferences.of(user) === undefined;
    if (is_usual && state.interactions.by_user.length(user) > 0) viewers.push(names.id(user));
  }
  return viewers;
}
