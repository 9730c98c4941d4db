import { environment, feedloom, REPOSITORY } from '../support/feedloom.ts';

/** Result of a command. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Starts `feedloom …` in a child process, with only the given settings. */
export function start(...args: string[]): Bun.Subprocess<'ignore', 'pipe', 'pipe'> {
  return startIn(REPOSITORY, args);
}

/** The same, with settings in the environment. */
export function startWith(
  variables: Record<string, string>,
  ...args: string[]
): Bun.Subprocess<'ignore', 'pipe', 'pipe'> {
  return startIn(REPOSITORY, args, variables);
}

function startIn(
  cwd: string,
  args: readonly string[],
  variables: Record<string, string> = {},
  by: readonly string[] = [],
): Bun.Subprocess<'ignore', 'pipe', 'pipe'> {
  return Bun.spawn([...by, feedloom(), ...args], {
    cwd,
    env: environment(variables),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** Starts it with another command, which replaces itself by it. */
export function startBy(by: readonly string[], ...args: string[]): Bun.Subprocess<'ignore', 'pipe', 'pipe'> {
  return startIn(REPOSITORY, args, {}, by);
}

/** Runs `feedloom …` to its end. */
export function run(...args: string[]): Promise<Ran> {
  return ended(start(...args));
}

/** The same, in another folder. */
export function runIn(cwd: string, ...args: string[]): Promise<Ran> {
  return ended(startIn(cwd, args));
}

/** The same, with settings in the environment. */
export function runWith(variables: Record<string, string>, ...args: string[]): Promise<Ran> {
  return ended(startIn(REPOSITORY, args, variables));
}

/** Runs it with another command, which exits with its code. */
export function runBy(by: readonly string[], ...args: string[]): Promise<Ran> {
  return ended(startBy(by, ...args));
}

/** What a process has written when it ends. */
export async function ended(child: Bun.ReadableSubprocess): Promise<Ran> {
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}
