import type { RefusedPlugin } from '../registry/refused-plugin.ts';
import type { Registry } from '../registry/registry.ts';
import { openRegistry } from '../service.ts';
import type { Settings } from '../settings.ts';
import { besideService, type Stores } from '../store/beside.ts';
import { inspectStore } from '../store/inspect.ts';
import type { Inspection } from '../store/inspection.ts';
import { verifyCommunity } from './community.ts';
import { isWhole, unreadable, unreadFiles } from './data.ts';
import { examineFeeds } from './feeds.ts';
import type { Finding } from './finding.ts';
import { examineIdentifiers } from './identifiers.ts';

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
