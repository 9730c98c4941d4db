import { StartupError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';

/** The data of both communities. A service that nobody ever sent wallet events to has none of wallets. */
export interface Stores {
  content: Store;
  wallets: Store | undefined;
}

/**
 * Does something with data, also beside a running service; whatever comes of it, the data is closed.
 * @param command as a next process that wants the data is told
 * @throws StartupError when there is no data, or it cannot be read
 */
export async function besideService<T>(
  settings: Settings,
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
