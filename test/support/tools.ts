import { REPOSITORY } from './feedloom.ts';

/**
 * Runs a command of a development dependency, such as `tsc`, and returns what it printed.
 * @throws Error when it failed without printing anything
 */
export function runTool(args: readonly string[], stdin = ''): string {
  const command = [process.execPath, 'x', '--no-install', ...args];
  const { success, stdout, stderr } = Bun.spawnSync(command, { cwd: REPOSITORY, stdin: Buffer.from(stdin) });
  const printed = stdout.toString();
  if (!success && printed === '') throw new Error(`${args[0]} failed:\n${stderr}`);
  return printed;
}
