import { createHash } from 'node:crypto';
import pino from 'pino';
import { ManualClock, monotonicMs } from '../../src/clock.ts';
import { createApp } from '../../src/http/app.ts';
import { KeyRing } from '../../src/http/auth.ts';
import { Host } from '../../src/http/host.ts';
import { FEED_TYPES } from '../../src/plugin/index.ts';
import { openService, type Service } from '../../src/service.ts';
import { readSettings } from '../../src/settings.ts';
import { API_KEY } from './children.ts';
import { feedPath, PAGE_LENGTH } from './requests.ts';
import { WORLD_NOW } from './worlds.ts';

/** The number of viewers whose pages are hashed, evenly spaced over all users. */
const HASHED_VIEWERS = 40;

/**
 * `bench-part hash`: hashes fixed pages of a data folder. Writes nothing.
 *
 * It opens the data in this process with a fixed clock and without cache lag, so that pages depend only on the world.
 */
export async function answersHash(data: string): Promise<string> {
  const settings = readSettings({}, { data, derived_lag_ms: '0', api_key: API_KEY });
  const clock = new ManualClock(WORLD_NOW);
  const service = await openService(settings, { command: 'feedloom bench', clock, monotonicMs });
  try {
    const keys = new KeyRing(service.store, { clock, api_key: settings.api_key });
    await keys.refresh();
    const host = new Host(pino({ enabled: false }));
    host.open(service, keys);
    const app = createApp(host, settings);
    return await hashAnswers(service, (request) => app.handle(request));
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
  handle: (request: Request) => Promise<Response>,
): Promise<string> {
  const hash = createHash('sha256');
  const step = Math.max(1, Math.floor(state.users.size / HASHED_VIEWERS));
  for (const feed_type of FEED_TYPES) {
    for (let user = 0; user < state.users.size; user += step) {
      const body = { user_id: state.users.names.id(user), top_k: PAGE_LENGTH, seed: 1 };
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
