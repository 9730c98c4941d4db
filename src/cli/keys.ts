import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { StartupError } from '../errors.ts';
import { duration } from '../setting-values.ts';
import { DATA_SETTINGS, type Settings } from '../settings.ts';
import { SCOPES, type Scope } from '../store/keys.ts';
import type { OpenedStore } from '../store/store.ts';
import { cliActor } from './actor.ts';
import { keyTable } from './key-table.ts';
import { print, printNotice, printText } from './output.ts';
import { type Tools, withStore } from './tools.ts';

const KEY_HELP = `
A key is shown only once; the database keeps a hash of it. A running service accepts it at once.
Scopes: feed:read builds feeds and makes viewer tokens; config:write saves feeds, previews them and reads
the audit log; ingest:write sends, reads and deletes records.`;

export function addKeys(feedloom: Command, { withSettings, settingsOf }: Tools): void {
  const keys = feedloom
    .command('keys')
    .description('create, list and revoke keys, even while the service runs');
  withSettings(
    keys.command('create').description('print a new key on stdout and its id on stderr'),
    DATA_SETTINGS,
  )
    .requiredOption(
      '--account <name>',
      'the account that the key belongs to; it is created if it does not exist',
    )
    .option('--scope <scopes...>', 'feed:read, config:write, ingest:write (default: all)')
    .option('--name <text>', 'the purpose of the key, shown by keys list')
    .option('--expires <duration>', 'lifetime of the key, such as 90d or 12h (default: unlimited)')
    .addHelpText('after', KEY_HELP)
    .action((flags: NewKeyFlags, command: Command) => createKey(settingsOf(command), flags));
  withSettings(
    keys.command('list').description('list all keys, oldest first, in columns separated by tabs'),
    DATA_SETTINGS,
  ).action((_options, command: Command) => listKeys(settingsOf(command)));
  withSettings(
    keys.command('revoke <id>').description('revoke a key; a running service refuses it within a second'),
    DATA_SETTINGS,
  ).action((id: string, _options, command: Command) => revokeKey(settingsOf(command), id));
}

function onStore<T>(settings: Settings, must_exist: boolean, work: (store: OpenedStore) => Promise<T>) {
  return withStore({ ...settings, must_exist }, 'feedloom keys', work);
}

function asScope(text: string): Scope {
  const scope = SCOPES.find((known) => known === text);
  if (scope !== undefined) return scope;
  throw new StartupError('bad_scope', `unknown scope '${text}'; scopes are ${SCOPES.join(', ')}`);
}

interface NewKeyFlags {
  account: string;
  scope?: string[];
  name?: string;
  expires?: string;
}

/**
 * `feedloom keys create`: prints the new key on stdout, before it is valid, and its id on stderr.
 *
 * The key is never shown again. If there is no data, it is created with a notice on stderr: the path may be misspelt.
 */
async function createKey(settings: Settings, flags: NewKeyFlags): Promise<void> {
  const { account, scope = [], name } = flags;
  const wanted = scope.length === 0 ? [...SCOPES] : scope.map(asScope);
  const now = systemClock.now();
  const expires_at = flags.expires === undefined ? undefined : now + duration(flags.expires, '--expires');
  const { is_new, key_id } = await onStore(settings, false, async ({ keys, is_new }) => {
    const { key_id } = await keys.create(
      account,
      wanted,
      { now, actor: cliActor() },
      { name, expires_at, show: print },
    );
    return { is_new, key_id };
  });
  printNotice(key_id);
  if (!is_new) return;
  const { data, database_url } = settings;
  const where = database_url === undefined ? `the folder '${data}'` : 'that PostgreSQL database';
  printNotice(`${where} contained no data of feedloom; new data was created`);
}

async function listKeys(settings: Settings): Promise<void> {
  printText(keyTable(await onStore(settings, true, (store) => store.keys.list())));
}

/** `feedloom keys revoke`. */
async function revokeKey(settings: Settings, key_id: string): Promise<void> {
  const edit = { now: systemClock.now(), actor: cliActor() };
  const revoked = await onStore(settings, true, (store) => store.keys.revoke(key_id, edit));
  if (!revoked)
    throw new StartupError(
      'no_such_key',
      `there is no key '${key_id}', or it is already revoked`,
      'See feedloom keys list.',
    );
  print(`revoked ${key_id}`);
}
