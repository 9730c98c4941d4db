import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { channelOf } from '../../workloads/community/topics.ts';
import { walletAddress } from '../../workloads/community/wallets.ts';
import { clockOf, monotonicMs, PastClock } from '../clock.ts';
import { StartupError } from '../errors.ts';
import { replaceFile } from '../files/new-file.ts';
import type { Service } from '../service.ts';
import type { Settings } from '../settings.ts';
import { newKey } from '../store/keys.ts';
import { DEMO_FEEDS, feedIdOf } from './demo-feeds.ts';
import { liveThrough, type PastService } from './demo-history.ts';
import { Samples } from './fill-demo.ts';
import { print } from './output.ts';
import { type Begin, createLogging, runUntilSignalled } from './run-service.ts';

/**
 * `feedloom demo`: runs the service on the embedded database with a sample community, and prints a key and commands.
 *
 * The community is created at the first start, with a past of 30 days, and kept. The key is created at each start and not stored anywhere.
 */
export async function demo(given: Settings, env: Record<string, string | undefined>): Promise<void> {
  const { data } = given;
  const settings = { ...given, database_url: undefined, api_key: given.api_key ?? newKey() };
  const logging = createLogging('stderr', settings.log_level);
  const clock = new PastClock(clockOf(settings));
  const begin: Begin = async (running, stopping) => {
    const { service, address } = running;
    const start_ms = monotonicMs();
    await fillDemo({ service, clock }, data, stopping);
    if (stopping.aborted) return;
    clock.release();
    const seconds = (monotonicMs() - start_ms) / 1000;
    const { items } = await service.alpha.forYou(walletAddress(0), 1);
    const [next] = items;
    const is_new_key = given.api_key === undefined;
    const { api_key: key } = settings;
    const code = running.createConsoleCode(key);
    const text = welcome({ service, address, key, code, is_new_key, data, seconds, next: next?.itemId });
    // Not with `console`: it is redirected to the log, which must not contain keys.
    print(text);
  };
  await runUntilSignalled(settings, 'feedloom demo', logging, begin, { env, clock });
}

/** The file that marks a folder as the demo's. */
const MARKER = 'demo.json';

/** Time of the samples in seconds, and whether they are complete. An interrupted start is continued. */
interface Marker {
  now: number;
  complete: boolean;
}

/**
 * Lets a service live the days of the demo that are missing, until `stopping`.
 * @param data the data folder
 * @throws StartupError `not_demo_data` for data without a marker, so not made by this version of the demo
 */
export async function fillDemo(past: PastService, data: string, stopping: AbortSignal): Promise<void> {
  const { service } = past;
  const file = join(data, MARKER);
  const known = markerIn(file);
  if (known?.complete) return;
  if (known === undefined && (service.state.seq > 0 || service.alpha.community !== undefined)) {
    throw new StartupError(
      'not_demo_data',
      `the folder '${data}' holds data but no ${MARKER}, so it may not be from the demo`,
      'name another folder with --data, serve this one with feedloom serve, or remove it if an earlier version of the demo made it',
    );
  }
  const marker = { now: known?.now ?? service.clock.now(), complete: false };
  mark(file, marker);
  const samples = new Samples(marker.now);
  await liveThrough(past, samples, stopping);
  if (stopping.aborted) return;
  await samples.ingestLists(service);
  await samples.ingestWallets(service);
  mark(file, { ...marker, complete: true });
}

/** Written before the samples. Without the marker they would be taken for a user's data. */
function mark(file: string, marker: Marker): void {
  replaceFile(file, JSON.stringify(marker));
}

function markerIn(file: string): Marker | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Marker;
  } catch {
    return undefined;
  }
}

const NEW_KEY = 'Each start creates another key, unless FEEDLOOM_API_KEY or --api-key sets one.';

/** The facts for the welcome text. */
interface Welcome {
  service: Service;
  address: string;
  key: string;
  code: string;
  /** Whether the key was created for this start. */
  is_new_key: boolean;
  data: string;
  /** Time until the service was ready. */
  seconds: number;
  /** First item of the first wallet's page. */
  next: string | undefined;
}

function welcome({ service, address, key, code, is_new_key, data, seconds, next }: Welcome): string {
  const { users, items } = service.state;
  const [viewer, other] = busiestUsers(service);
  const { chain } = service.alpha;
  const wallet = walletAddress(0);
  const call = (path: string, body: object) =>
    [
      `  curl -s '${address}/v2/community${path}' \\`,
      `    -H 'authorization: Bearer ${key}' -H 'content-type: application/json' \\`,
      `    -d '${JSON.stringify(body)}'`,
    ].join('\n');
  return `
Feedloom demo: ${users.size} users and ${items.size} items in ${data} (ready in ${seconds.toFixed(1)} s)
All of it is made up: the people and what they write, what they saw in the last 30 days, and the results of experiments.

  ${address}
  Authorization: Bearer ${key}
  ${is_new_key ? NEW_KEY : 'The key is the one from the settings.'}
  Documents: ${address}/docs
  Console: ${address}/console#code=${code} (works once, for 10 minutes)
  In a browser: ${address}/swagger (under "Authorize", bearer takes the key without the word Bearer)

The console has ${DEMO_FEEDS.length} saved feeds, an experiment with a result and one that runs, reports, and charts.

Paste into another terminal. What user ${viewer} should read next:
${call('/feeds/for-you', { user_id: viewer, top_k: 3, return_metadata: true })}

The same for user ${other}, from the music channel, remembering what was shown: send it again for the next page, until
what was seen longest ago returns:
${call('/feeds/for-you', { user_id: other, top_k: 3, impression_count: 3, seen: { mode: 'last' }, filters: { channels: [channelOf('music')] } })}

The saved feeds are the tabs of an app (${DEMO_FEEDS.map(({ tab, body }) => `${feedIdOf(tab)} ${body.name}`).join(', ')}):
${call('/feeds/for-you', { feed_id: feedIdOf('following'), user_id: viewer, top_k: 3, return_metadata: true })}

What everybody is about to talk about, and what they liked most:
${call('/feeds/trending', { top_k: 3, return_metadata: true })}
${call('/feeds/popular', { top_k: 3, return_metadata: true })}

Tokens and NFTs for a wallet, without a key; it mints the first, and the next page is another:
  curl -s '${address}/${chain}/feed/for-you/${wallet}?top_k=3'
  curl -s '${address}/${chain}/events' -H 'content-type: application/json' \\
    -d '${JSON.stringify({ wallet_address: wallet, item_id: next ?? 'what the page shows first', event_type: 'mint' })}'

Stop with Ctrl-C.
`;
}

/** The two users with the most interactions, as their pages show the most. */
function busiestUsers({ state }: Service): [string, string] {
  const users = Array.from({ length: state.users.size }, (_, user) => user);
  const log = state.interactions.by_user;
  users.sort((one, other) => log.length(other) - log.length(one) || one - other);
  return [state.users.names.id(users[0]), state.users.names.id(users[1])];
}
