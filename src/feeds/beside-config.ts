import type { Fault } from '../errors.ts';
import type { Registry } from '../registry/registry.ts';
import { misplaced } from './check-parameters.ts';
import { configSchema } from './parameters.ts';

/** The names that a `config` may contain, for any feed type. */
const CONFIG_NAMES: ReadonlySet<string> = new Set(Object.keys(configSchema('popular').properties));

/** Checks fields beside `config` that are not fields of a feed. Those that belong into `config` are faults. */
export function besideConfig(
  fields: readonly (readonly [name: string, value: unknown])[],
  registry: Registry,
): { unknown: string[]; faults: Fault[] } {
  const unknown: string[] = [];
  const faults: Fault[] = [];
  for (const [name, value] of fields) {
    const is_filter = registry.get('filters', name) !== undefined;
    if (value === null || !(is_filter || CONFIG_NAMES.has(name))) unknown.push(name);
    else faults.push(misplaced(name, '', is_filter ? ['config', 'filters'] : ['config']));
  }
  return { unknown, faults };
}
