import { type Finding, fail, ok } from '../doctor/finding.ts';
import { reasonOf, StartupError } from '../errors.ts';
import type { Registry } from '../registry/registry.ts';
import type { Settings } from '../settings.ts';
import { inspectStore } from '../store/inspect.ts';
import type { InspectedFile, Inspection } from '../store/inspection.ts';
import type { Store } from '../store/store.ts';
import { Check, RESTORE } from './check.ts';
import { verifyCommunity } from './community.ts';
import { checkFeeds } from './feeds.ts';
import { checkIdentifiers } from './identifiers.ts';

/** The stores of both communities. That of wallets is absent without wallets. */
interface Stores {
  content: Store;
  wallets: Store | undefined;
}

/** Checks the database files themselves, which must be whole before they can be opened. */
export async function verifyFiles(
  settings: Settings,
): Promise<{ findings: Finding[]; inspection: Inspection }> {
  const { data, database_url } = settings;
  const inspection = await inspectStore({ data, database_url }, true);
  const findings = inspection.engine === 'sqlite' ? inspection.files.map(fileFinding) : [];
  return { findings, inspection };
}

function fileFinding({ file, damage = [] }: InspectedFile): Finding {
  if (damage.length > 0)
    return fail(
      'database',
      `'${file}' is damaged: ${damage[0]}`,
      'restore the data from a backup (feedloom restore)',
    );
  return ok('database', `'${file}' has no damaged page`);
}

/**
 * Examines the data against itself. It reads snapshots and changes nothing, so a service may run meanwhile.
 * @param registry the plugins of the service, by which saved feeds are compiled
 */
export async function verifyData(
  { content, wallets }: Stores,
  inspection: Inspection,
  registry: Registry,
  settings: Settings,
): Promise<Finding[]> {
  const { data, database_url } = settings;
  const place = { data, database_url };
  const findings: Finding[] = [];
  const reads = [...registry.reads()];
  const inspected = new Map(inspection.communities.map((each) => [each.community, each]));
  const of_content = inspected.get('content');
  if (of_content !== undefined)
    await orFault(findings, async () => {
      const verified = await verifyCommunity({
        store: content,
        community: 'content',
        place,
        reads,
        inspected: of_content,
      });
      findings.push(...verified.findings);
      const check = new Check('feeds', 'content', 'save the feed again, or load its plugins');
      const feeds = await checkFeeds(content, verified.state, registry, settings, check);
      findings.push(...check.findings(`${feeds} saved feeds can be built`));
    });
  const of_wallets = inspected.get('wallets');
  if (wallets !== undefined && of_wallets !== undefined)
    await orFault(findings, async () => {
      const verified = await verifyCommunity({
        store: wallets,
        community: 'wallets',
        place,
        reads: [],
        inspected: of_wallets,
      });
      findings.push(...verified.findings);
      const check = new Check('identifiers', 'wallets');
      checkIdentifiers(verified.state, check);
      findings.push(...check.findings('all wallets, tokens and NFTs have valid identifiers'));
    });
  return findings;
}

/** Makes a finding of data that cannot be read at all. */
async function orFault(findings: Finding[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const remedy = error instanceof StartupError ? error.remedy : undefined;
    findings.push(fail('database', reasonOf(error), remedy ?? RESTORE));
  }
}
