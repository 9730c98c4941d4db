import { systemClock } from '../clock.ts';
import { StartupError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import { SCOPES, type Scope } from '../store/keys.ts';
import { openStore } from '../store/open-store.ts';
import type { OpenedStore } from '../store/store.ts';
import { OutputClosed, print, printNotice, printText } from './output.ts';

/** Opens the data beside a running service, does something with its keys and lets go. */
async function withStore<T>(
  settings: Settings,
  must_exist: boolean,
  task: (store: OpenedStore) => Promise<T>,
): Promise<T> {
  const store = await openStore({ ...settings, role: 'beside', must_exist, command: 'feedloom keys' });
  try {
    return await task(store);
  } catch (error) {
    throw error instanceof OutputClosed ? error : store.explained(error);
  } finally {
    await store.close();
  }
}

function asScope(text: string): Scope {
  const scope = SCOPES.find((known) => known === text);
  if (scope !== undefined) return scope;
  throw new StartupError('bad_scope', `unknown scope '${text}'; scopes are ${SCOPES.join(', ')}`);
}

/**
 * `feedloom keys create`: prints the new key alone, the only time that it is shown, and before it is in force. Creates
 * the data if need be, and says so on stderr: the place may have been misspelt.
 */
export async function createKey(settings: Settings, account: string, scopes: string[]): Promise<void> {
  const wanted = scopes.length === 0 ? [...SCOPES] : scopes.map(asScope);
  const is_new = await withStore(settings, false, async ({ keys, is_new }) => {
    await keys.create(account, wanted, systemClock.now(), print);
    return is_new;
  });
  if (!is_new) return;
  const { data, database_url } = settings;
  const where = database_url === undefined ? `the folder '${data}'` : 'that PostgreSQL database';
  printNotice(`${where} had no data of feedloom and has been set up anew`);
}

/** `feedloom keys list`: one line a key. */
export async function listKeys(settings: Settings): Promise<void> {
  const keys = await withStore(settings, true, (store) => store.keys.list());
  const lines = keys.map(({ key_id, account, scopes, created_at, revoked_at }) => {
    const state = revoked_at === null ? 'in force' : `revoked ${isoTime(revoked_at)}`;
    return `${[key_id, account, scopes.join(' '), isoTime(created_at), state].join('\t')}\n`;
  });
  printText(lines.join(''));
}

/** `feedloom keys revoke`. @throws StartupError for a key that is not in force */
export async function revokeKey(settings: Settings, key_id: string): Promise<void> {
  const revoked = await withStore(settings, true, (store) => store.keys.revoke(key_id, systemClock.now()));
  if (!revoked)
    throw new StartupError('no_such_key', `there is no key '${key_id}' in force`, 'See feedloom keys list.');
  print(`revoked ${key_id}`);
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
