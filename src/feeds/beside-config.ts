import type { Fault } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Registry } from '../registry/registry.ts';
import { meant, misplaced, misspelt } from './check-parameters.ts';
import { nearMiss } from './near-miss.ts';
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
    if (value === null) unknown.push(name);
    else if (is_filter || CONFIG_NAMES.has(name))
      faults.push(misplaced(name, '', is_filter ? ['config', 'filters'] : ['config']));
    else {
      // Of very many unknown names the rest only counts.
      const is_compared = unknown.length + faults.length < LIMITS.warnings_listed_max;
      const fault = is_compared ? meantBeside(name, registry) : undefined;
      if (fault === undefined) unknown.push(name);
      else faults.push(fault);
    }
  }
  return { unknown, faults };
}

function meantBeside(name: string, registry: Registry): Fault | undefined {
  if (nearMiss(name, ['config'], true) !== undefined) return meant(name, '', [], 'config');
  return misspelt(name, '', CONFIG_NAMES, ['config'], registry);
}
