import type { Command } from 'commander';

/**
 * The arguments to parse. After an unknown command they end, so that the parser reports it with similar names;
 * otherwise `--help` after it prints the help of its parent and succeeds.
 * @param args arguments without the program's path
 */
export function untilUnknownCommand(program: Command, args: readonly string[]): readonly string[] {
  const names: string[] = [];
  let command = program;
  for (const arg of args) {
    if (command.commands.length === 0) return args;
    if (arg.startsWith('-') || arg === 'help') continue;
    names.push(arg);
    const found = command.commands.find((each) => each.name() === arg);
    if (found === undefined) return names;
    command = found;
  }
  return args;
}
