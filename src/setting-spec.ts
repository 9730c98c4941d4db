import type { Parse } from './setting-values.ts';

/** One setting, as a variable and as a flag. */
interface SettingSpec<T> {
  env: string;
  flag: string;
  default: T;
  /** The value in the help text, for example `<port>`. */
  value: string;
  description: string;
  parse: Parse<T>;
}

/** The prefix of all variables. */
export const PREFIX = 'FEEDLOOM_';

/** Describes a setting by its name in snake case. */
export function spec<T>(
  name: string,
  value: string,
  initial: T,
  description: string,
  parse: Parse<T>,
): SettingSpec<T> {
  return {
    env: `${PREFIX}${name.toUpperCase()}`,
    flag: `--${name.replaceAll('_', '-')}`,
    default: initial,
    value,
    description,
    parse,
  };
}
