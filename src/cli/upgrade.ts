import type { Command } from 'commander';
import { StartupError } from '../errors.ts';
import { grouped } from '../plugin/list-of.ts';
import { DATA_SETTINGS, type Settings } from '../settings.ts';
import type { CommunityName } from '../store/connection.ts';
import { openStore, plannedUpgrade } from '../store/open-store.ts';
import type { OpenedStore } from '../store/store.ts';
import type { UpgradePlan } from '../store/upgrade.ts';
import { shownOnStderr } from './import-progress.ts';
import { print } from './output.ts';
import type { Tools } from './tools.ts';
import { untilSignal } from './until-signal.ts';

const COMMAND = 'feedloom upgrade';
const COMMUNITIES: readonly CommunityName[] = ['content', 'wallets'];

const HELP = `
feedloom serve does the same at its start. Stop the service first, all nodes of it, and take a backup. An upgrade that was
interrupted continues when it is started again. --dry-run may run beside a service of the older version.`;

/** Adds `feedloom upgrade`. */
export function addUpgrade(feedloom: Command, { withSettings, settingsOf }: Tools): void {
  const command = feedloom
    .command('upgrade')
    .description('bring data of an older version to this version, without serving it')
    .option('--dry-run', 'print what would be done, and change nothing')
    .addHelpText('after', HELP);
  withSettings(command, DATA_SETTINGS).action(({ dryRun = false }: { dryRun?: boolean }) => {
    const settings = settingsOf(command);
    return dryRun ? printPlans(settings) : upgrade(settings);
  });
}

async function printPlans(settings: Settings): Promise<void> {
  for (const community of COMMUNITIES) {
    const options = { ...settings, community, role: 'beside', command: COMMAND } as const;
    const plan = await plannedUpgrade(options).catch((error) => orAbsent(error, community));
    if (plan !== undefined) print(linesOf(community, plan).join('\n'));
  }
}

function linesOf(community: CommunityName, { migrations, filling }: UpgradePlan): string[] {
  if (migrations.length === 0) return [`${community}: the data is of this version`];
  const lines = [`${community}: migrations ${migrations.join(', ')}`];
  if (filling === undefined) return lines;
  const { viewers, pages, items, erased_pages, bytes } = filling;
  lines.push(
    `  recorded pages move to the table seen: ${grouped(pages)} pages of ${grouped(viewers)} viewers with ` +
      `${grouped(items)} items, about ${grouped(Math.ceil(bytes / 1000))} kB`,
    `  left out, because their viewers were erased: ${grouped(erased_pages)} pages`,
  );
  return lines;
}

/** Wallets share the lock of the content, so that stays open. */
async function upgrade(settings: Settings): Promise<void> {
  const progress = shownOnStderr();
  const stores: OpenedStore[] = [];
  await untilSignal(
    () => progress.end(),
    async () => {
      for (const community of COMMUNITIES) {
        const store = await openStore({
          ...settings,
          community,
          role: 'serve',
          command: COMMAND,
          must_exist: true,
          onUpgrade: ({ pages_done, pages_total }) =>
            progress.show({ bytes_taken: pages_done, bytes_total: pages_total, records: pages_done }),
        }).catch((error) => orAbsent(error, community));
        if (store !== undefined) stores.push(store);
      }
    },
  ).finally(async () => {
    progress.end();
    for (const store of stores.reverse()) await store.close();
  });
  print('the data is of this version');
}

/** Without wallet events there is no data of wallets. */
function orAbsent(error: unknown, community: CommunityName): undefined {
  if (community === 'content' || !(error instanceof StartupError) || error.code !== 'no_data') throw error;
}
