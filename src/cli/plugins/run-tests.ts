import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../../errors.ts';

/**
 * `feedloom plugins test [args…]`: runs tests with `bun:test`, with the contract and the testing kit available.
 *
 * The executable is its own test runner: with BUN_BE_BUN it is Bun.
 * @param env environment of the runner
 * @throws StartupError `plugin_tests_failed`
 */
export async function testPlugins(
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<void> {
  const { TEST_PRELOAD } = await import('./contract.ts');
  const folder = mkdtempSync(join(tmpdir(), 'feedloom-plugin-test-'));
  try {
    const preload = join(folder, 'preload.js');
    writeFileSync(preload, TEST_PRELOAD);
    const files = args.map((arg) => (/^[\w@][^*]*\.(ts|js|mjs)$/.test(arg) ? `./${arg}` : arg));
    const runner = Bun.spawn([process.execPath, 'test', '--preload', preload, ...files], {
      env: { ...env, BUN_BE_BUN: '1' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if ((await runner.exited) !== 0) throw new StartupError('plugin_tests_failed', 'tests failed');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
