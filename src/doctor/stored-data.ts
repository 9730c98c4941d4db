import { systemClock } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import { SavedFeeds } from '../feeds/saved-feeds.ts';
import { itemParts, itemType, Wallet } from '../model/values/tokens.ts';
import type { RefusedPlugin } from '../registry/refused-plugin.ts';
import type { Registry } from '../registry/registry.ts';
import { openRegistry } from '../service.ts';
import type { Settings } from '../settings.ts';
import type { Names } from '../state/names.ts';
import type { State } from '../state/state.ts';
import { besideService, type Stores } from '../store/beside.ts';
import { inspectStore } from '../store/inspect.ts';
import type { Inspection } from '../store/inspection.ts';
import type { Store } from '../store/store.ts';
import type { StoredFeed } from '../store/stored-feed.ts';
import { Check } from './check.ts';
import { verifyCommunity } from './community.ts';
import { isWhole, unreadable, unreadFiles } from './data.ts';
import type { Finding } from './finding.ts';

/** Checks that wallets have addresses, and that tokens and NFTs have identifiers of their form. */
function examineIdentifiers({ users, items }: State): Finding[] {
  const check = new Check('identifiers', 'wallets');
  for (const [key, id] of namesOf(users.names))
    if (Wallet.check(id) !== id) check.fault('wallet', `wallet ${key} has no valid address`);
  for (const [key, id] of namesOf(items.names))
    if (itemType(itemParts(id).chain).check(id) !== id)
      check.fault('item', `item ${key} has no valid identifier of a token or NFT`);
  return check.findings('all wallets, tokens and NFTs have valid identifiers');
}

function* namesOf(names: Names): Generator<[key: number, id: string]> {
  for (let ordinal = 0; ordinal < names.size; ordinal++)
    if (names.holds(ordinal)) yield [names.key(ordinal), names.id(ordinal)];
}

/** Checks that every saved feed can be read and compiled with these plugins. */
async function examineFeeds(
  store: Store,
  state: State,
  registry: Registry,
  settings: Settings,
): Promise<Finding[]> {
  const check = new Check('feeds', 'content', 'save the feed again, or load its plugins');
  const stored = await store.feeds.all();
  const readable: StoredFeed[] = [];
  for (const feed of stored) {
    const reason = contentFault(feed);
    if (reason === undefined) readable.push(feed);
    else check.fault('unreadable', `${feed.feed_id} cannot be read (${reason})`);
  }
  const changed = async () => ({ saved: readable, deleted: [], until: 0, is_last: true });
  const source = { ...store.feeds, changed };
  const feeds = new SavedFeeds(registry, source, systemClock, settings, state);
  await feeds.keepUp();
  for (const problem of feeds.problems()) check.fault(problem.code, problem.detail);
  return check.findings(`${stored.length} saved feeds can be built`);
}

/** Why the content of a feed is not a JSON object. */
function contentFault({ content }: StoredFeed): string | undefined {
  try {
    const object: unknown = JSON.parse(content);
    return typeof object === 'object' && object !== null ? undefined : 'it is not a JSON object';
  } catch (error) {
    return reasonOf(error);
  }
}

interface StoredReport {
  /** If a file is damaged or has a log that is not its own, nothing is compared: it may not even open. */
  findings: Finding[];
  inspection: Inspection;
  refused_plugins: readonly RefusedPlugin[];
}

/**
 * Compares the stored data with itself. It reads snapshots and changes nothing, so a service may run meanwhile.
 * @throws StartupError if the data cannot be opened, or for a rejected plugin
 */
export async function examineStored(settings: Settings): Promise<StoredReport> {
  const { data, database_url } = settings;
  const { registry, refused_plugins } = await openRegistry(settings);
  const inspection = await inspectStore({ data, database_url }, true);
  const findings = isWhole(inspection)
    ? await besideService(settings, 'feedloom doctor', (stores) =>
        compared(stores, inspection, registry, settings),
      )
    : unreadFiles(inspection);
  return { findings, inspection, refused_plugins };
}

async function compared(
  stores: Stores,
  { communities }: Inspection,
  registry: Registry,
  settings: Settings,
): Promise<Finding[]> {
  const { data, database_url } = settings;
  const findings: Finding[] = [];
  for (const inspected of communities) {
    const { community } = inspected;
    const store = stores[community];
    if (store === undefined) continue;
    const is_content = community === 'content';
    const reads = is_content ? [...registry.reads()] : [];
    try {
      const verified = await verifyCommunity({ store, place: { data, database_url }, reads, inspected });
      findings.push(...verified.findings);
      const more = is_content
        ? await examineFeeds(store, verified.state, registry, settings)
        : examineIdentifiers(verified.state);
      findings.push(...more);
    } catch (error) {
      findings.push(unreadable(error));
    }
  }
  return findings;
}
