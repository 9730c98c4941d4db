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
  /** Whether the value may hold a secret, so that a file may hold it, see `secretVariable`. */
  is_secret: boolean;
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
    is_secret: false,
  };
}

/** Describes a setting without a default. Arguments as those of `spec`. */
export function optionalSpec<T>(
  name: string,
  value: string,
  description: string,
  parse: Parse<T>,
): SettingSpec<T | undefined> {
  return spec<T | undefined>(name, value, undefined, description, parse);
}

/** Describes an optional setting that may hold a secret. */
export function secretSpec<T>(...described: Parameters<typeof optionalSpec<T>>): SettingSpec<T | undefined> {
  return { ...optionalSpec(...described), is_secret: true };
}
