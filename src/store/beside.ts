import { StartupError } from '../errors.ts';
import { openStore } from './open-store.ts';
import type { Store, StoreOptions } from './store.ts';

/** The data of both communities. The data of wallets is absent if no wallet event was ever sent. */
export interface Stores {
  content: Store;
  wallets: Store | undefined;
}

/**
 * Opens the data, even while a service runs, does some work and closes the data.
 * @param command name of the command, for the error message of another process that wants the data
 * @throws StartupError if there is no data, or it cannot be read
 */
export async function besideService<T>(
  settings: Omit<StoreOptions, 'role' | 'command'>,
  command: string,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const beside = { ...settings, role: 'beside', must_exist: true, command } as const;
  const content = await openStore(beside);
  try {
    const wallets = await openStore({ ...beside, community: 'wallets' }).catch(onlyContent);
    try {
      return await work({ content, wallets });
    } finally {
      await wallets?.close();
    }
  } finally {
    await content.close();
  }
}

function onlyContent(error: unknown): undefined {
  if (!(error instanceof StartupError) || error.code !== 'no_data') throw error;
}
