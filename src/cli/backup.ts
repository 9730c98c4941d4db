import { rmSync, statSync } from 'node:fs';
import { parse, resolve } from 'node:path';
import { StartupError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';

/**
 * `feedloom backup FILE`: writes the data as it is at this moment, also beside a running service. Wallets have
 * a database of their own, which is written beside FILE. Both are there in the end, or none is.
 * @throws StartupError when there is no data, FILE is there, or it cannot be written
 */
export async function backup(settings: Settings, file: string): Promise<void> {
  const beside = { ...settings, role: 'beside', must_exist: true, command: 'feedloom backup' } as const;
  const { dir, name, ext } = parse(resolve(file));
  const content_file = resolve(file);
  const content = await openStore(beside);
  await written(content, content_file);
  try {
    const wallets = await openStore({ ...beside, community: 'wallets' }).catch(onlyContent);
    if (wallets !== undefined) await written(wallets, resolve(dir, `${name}-wallets${ext}`));
  } catch (error) {
    rmSync(content_file);
    throw error;
  }
}

async function written(store: Store, file: string): Promise<void> {
  try {
    await store.backup(file);
  } finally {
    await store.close();
  }
  console.log(`${file}  ${(statSync(file).size / 1e6).toFixed(1)} MB`);
}

/** A service that nobody ever sent wallet events to has nothing of that kind. */
function onlyContent(error: unknown): undefined {
  if (!(error instanceof StartupError) || error.code !== 'no_data') throw error;
}
