import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StartupError } from '../../src/errors.ts';
import { thisProgram } from '../../src/this-program.ts';

/** The command line of a Feedloom: an executable, or Bun and the entry file of a checkout. */
export type Program = readonly string[];

const ALLOWED = 'Name an executable of Feedloom, or the src/main.ts of a checkout.';
const HELP = /^Usage: feedloom\b/;

/**
 * Finds the Feedloom at a path.
 * @param flag the flag that the path was given with
 * @throws StartupError if there is no such file, it cannot be started, or it is not Feedloom
 */
export function programAt(flag: string, path: string): Program {
  const refusal = (reason: string) => new StartupError('bad_setting', `${flag}: ${reason}`, ALLOWED);
  const file = resolve(path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw refusal(`there is no file '${path}'`);
  const bun = bunPath();
  if (file.endsWith('.ts') && bun === null) throw refusal('a checkout needs bun, which is not on the PATH');
  const program = file.endsWith('.ts') && bun !== null ? [bun, file] : [file];
  if (program.length === 1 && !mayExecute(file)) throw refusal(`'${path}' is not executable`);
  const { stdout } = Bun.spawnSync([...program, '--help'], { env: {}, stderr: 'ignore' });
  if (!HELP.test(stdout.toString())) throw refusal(`'${path}' does not answer --help as Feedloom does`);
  return program;
}

/** The executable of a program. Undefined if it runs from sources. */
export function executableOf(program: Program): string | undefined {
  return program.length === 1 ? program[0] : undefined;
}

/** The Bun that runs this program, or for an executable the one on the PATH. Null if there is none. */
function bunPath(): string | null {
  return executableOf(thisProgram()) === undefined ? process.execPath : Bun.which('bun');
}

function mayExecute(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
