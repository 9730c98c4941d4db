import type { Command } from 'commander';
import { StartupError } from '../errors.ts';
import { printable } from '../printable.ts';
import { nearest } from './nearest.ts';

/**
 * Checks the names of commands before parsing. Otherwise `--help` after an unknown name prints the help of its parent
 * and succeeds.
 * @param args arguments without the program's path
 * @throws StartupError `unknown_command` with the most similar name
 */
export function requireKnownCommand(program: Command, args: readonly string[]): void {
  let command = program;
  let path = program.name();
  for (const arg of args) {
    if (command.commands.length === 0) return;
    if (arg.startsWith('-') || arg === 'help') continue;
    const found = command.commands.find((each) => each.name() === arg);
    if (found === undefined) throw unknownCommand(command, path, arg);
    command = found;
    path += ` ${arg}`;
  }
}

function unknownCommand(command: Command, path: string, typed: string): StartupError {
  const shown = command.createHelp().visibleCommands(command);
  const names = shown.map((each) => each.name()).filter((name) => name !== 'help');
  const meant = nearest(typed, names);
  const suggestion = meant === undefined ? '' : `Did you mean ${path} ${meant}? `;
  return new StartupError(
    'unknown_command',
    printable(`there is no command '${path} ${typed}'`),
    `${suggestion}Choose ${path} ${names.join(', ')}.`,
  );
}
