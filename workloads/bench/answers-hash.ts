import { createHash } from 'node:crypto';
import pino from 'pino';
import { ManualClock, monotonicMs } from '../../src/clock.ts';
import { createApp } from '../../src/http/app.ts';
import { KeyRing } from '../../src/http/identity/auth.ts';
import { Host } from '../../src/http/transport/host.ts';
import { FEED_TYPES } from '../../src/plugin/index.ts';
import type { SeenStore } from '../../src/seen/seen-store.ts';
import { openService, type Service } from '../../src/service.ts';
import { readSettings } from '../../src/settings.ts';
import { VolatileSeen } from '../../src/store/volatile-seen.ts';
import { API_KEY } from './children.ts';
import { feedPath, PAGE_LENGTH } from './requests.ts';
import { WORLD_NOW } from './worlds.ts';

/** The number of viewers whose pages are hashed, evenly spaced over all users. */
const HASHED_VIEWERS = 40;

/** Pages of each viewer whose items are recorded as seen. */
const RECORDED_PAGES = 4;

interface AnswersHashes {
  /** Of one page each, and nothing is recorded. */
  answers_hash: string;
  /** Of some pages each, and what was on one is not on the next. */
  recorded_hash: string;
}

/**
 * `bench-part hash`: hashes fixed pages of a data folder. What is recorded stays in memory, so nothing is written.
 *
 * It opens the data in this process with a fixed clock and without cache lag, so that pages depend only on the world.
 */
export async function answersHashes(data: string): Promise<AnswersHashes> {
  const settings = readSettings({}, { data, derived_lag_ms: '0', api_key: API_KEY });
  const clock = new ManualClock(WORLD_NOW);
  // Pages are not logged: what a logged page teaches would count from some moment on, which depends on the machine.
  const shown = { add: () => {} };
  const service = await openService(settings, { command: 'feedloom bench', clock, monotonicMs, shown });
  try {
    const keys = new KeyRing(service.store, { clock, api_key: settings.api_key });
    await keys.refresh();
    const host = new Host(pino({ enabled: false }));
    host.open(service, keys);
    const app = createApp(host, settings);
    const rows = new VolatileSeen();
    Object.assign(service.store.seen, {
      read: rows.read.bind(rows),
      write: rows.write.bind(rows),
    } satisfies SeenStore);
    const hash = (pages: number, more: object = {}) =>
      hashAnswers(service, pages, more, (request) => app.handle(request));
    return {
      answers_hash: await hash(1),
      recorded_hash: await hash(RECORDED_PAGES, { impression_count: PAGE_LENGTH }),
    };
  } finally {
    await service.store.close();
  }
}

/**
 * Hashes the item ids of fixed pages with a fixed seed. The hash changes only with the recommendations.
 *
 * Scores are left out, because their last digits may differ between machines.
 */
async function hashAnswers(
  { state }: Service,
  pages: number,
  more: object,
  handle: (request: Request) => Promise<Response>,
): Promise<string> {
  const hash = createHash('sha256');
  const step = Math.max(1, Math.floor(state.users.size / HASHED_VIEWERS));
  const count = Math.ceil(state.users.size / step);
  for (const feed_type of FEED_TYPES) {
    for (let at = 0; at < count * pages; at++) {
      const user_id = state.users.names.id((at % count) * step);
      const body = { user_id, top_k: PAGE_LENGTH, seed: 1, ...more };
      const request = new Request(`http://localhost${feedPath(feed_type)}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const response = await handle(request);
      const text = await response.text();
      if (response.status !== 200) throw new Error(`answered ${response.status}: ${text}`);
      const ids = JSON.parse(text).body.map(({ item_id }: { item_id: string }) => item_id);
      hash.update(`${ids.join(' ')}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}
