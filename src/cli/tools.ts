import type { Command } from 'commander';
import type { SettingName, Settings } from '../settings.ts';
import { openStore } from '../store/open-store.ts';
import type { OpenedStore } from '../store/store.ts';
import { OutputClosed } from './output.ts';

/** How commands define and read the flags of settings. */
export interface Tools {
  withSettings(command: Command, names: readonly SettingName[]): Command;
  settingsOf(command: Command): Settings;
}

/**
 * Opens the content, even while a service runs, does some work and closes it.
 * @param command for the error message of another process that wants the data
 * @throws StartupError if the data cannot be opened or read
 */
export async function withStore<T>(
  settings: Settings & { must_exist: boolean },
  command: string,
  work: (store: OpenedStore) => Promise<T>,
): Promise<T> {
  const store = await openStore({ ...settings, role: 'beside', command });
  try {
    return await work(store);
  } catch (error) {
    throw error instanceof OutputClosed ? error : store.explained(error);
  } finally {
    await store.close();
  }
}
