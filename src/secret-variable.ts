import { readFileSync } from 'node:fs';
import { reasonOf, StartupError } from './errors.ts';

/** The end of the name of a variable that names a file with the value. */
const IN_FILE = '_FILE';

/** The variable that names a file with the value of another one. */
export function fileVariable(name: string): string {
  return name + IN_FILE;
}

/** The variables of a setting: its own and, if it may hold a secret, that of a file. */
export function variablesOf({ env, is_secret }: { env: string; is_secret: boolean }): string[] {
  return is_secret ? [env, fileVariable(env)] : [env];
}

/**
 * The value of a variable that may hold a secret, or the content of the file that `<name>_FILE` names. A line end at its
 * end is removed. Undefined if neither variable is set.
 * @throws StartupError `bad_setting` if both are set, or the file is empty or cannot be read
 */
export function secretVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const file_name = fileVariable(name);
  const value = env[name] || undefined;
  const file = env[file_name] || undefined;
  if (file === undefined) return value === undefined ? undefined : withoutLineEnd(value);
  if (value !== undefined)
    throw new StartupError('bad_setting', `${name} and ${file_name} are both set`, 'set only one of them');
  const text = withoutLineEnd(contentOf(file, file_name));
  if (text !== '') return text;
  throw new StartupError('bad_setting', `${file_name}: the file '${file}' is empty`);
}

function contentOf(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartupError('bad_setting', `${name}: the file '${file}' cannot be read (${reasonOf(error)})`);
  }
}

/** Editors and `echo` put a line end behind a secret. */
export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}
