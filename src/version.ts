import { join } from 'node:path';
import pkg from '../package.json';
import { PLUGIN_API } from './plugin/api.ts';

/** Set by the build. Absent when the program runs from a checkout. */
declare const FEEDLOOM_COMMIT: string | undefined;

const CHECKOUT = join(import.meta.dir, '..');
const UNKNOWN = 'unknown';

/** What runs: the release, the commit of its sources, and the version of the plugin contract. */
export interface Version {
  version: string;
  /** With `+modified` if files differ from the commit; `unknown` outside of a Git checkout. */
  commit: string;
  contract: number;
}

/** The version of this program. From a checkout it asks Git, so it is not free. */
export function thisVersion(): Version {
  const commit = typeof FEEDLOOM_COMMIT === 'string' ? FEEDLOOM_COMMIT : checkoutCommit();
  return { version: pkg.version, commit, contract: PLUGIN_API };
}

/** The commit of this checkout. `unknown` without Git, and for sources within the checkout of something else. */
function checkoutCommit(): string {
  if (git('rev-parse', '--show-prefix') !== '') return UNKNOWN;
  return git('describe', '--always', '--abbrev=12', '--exclude=*', '--dirty=+modified') ?? UNKNOWN;
}

function git(...args: string[]): string | undefined {
  try {
    const { success, stdout } = Bun.spawnSync(['git', ...args], { cwd: CHECKOUT, stderr: 'ignore' });
    return success ? stdout.toString().trim() : undefined;
  } catch {
    // Git is not installed.
    return undefined;
  }
}
