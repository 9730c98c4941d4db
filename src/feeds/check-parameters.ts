import type { TObject } from '@sinclair/typebox';
import type { Fault } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { clip, isPlainObject, pointerStep } from '../model/values/refusal.ts';
import { FEED_TYPES, type FeedType } from '../plugin/index.ts';
import { OptionsChecker } from '../registry/options.ts';
import type { Registry } from '../registry/registry.ts';
import { nearMiss } from './near-miss.ts';
import {
  configSchema,
  type FeedParameters,
  REQUEST_ONLY,
  type RequestParameters,
  requestSchema,
  switchesOff,
} from './parameters.ts';

/** The result of checking the parameters of a request or a `config`. */
export interface CheckedParameters<P> {
  /**
   * The valid parameters. Empty if there are too many faults to list. A property with the value `undefined` is
   * switched off, so `{ ...saved, ...given }` removes a saved value.
   */
  given: P;
  /** Unknown names. */
  unknown: string[];
  faults: Fault[];
}

/** Distinguishes the names of filters from other names. */
type FilterNames = Pick<Registry, 'get' | 'all'>;

/** Checks parameters against one schema, which is compiled at the first use. */
class ParameterChecker<P> {
  private readonly known: ReadonlySet<string>;
  private readonly checker: OptionsChecker;

  constructor(
    schema: TObject,
    private readonly saved: boolean,
  ) {
    this.known = new Set(Object.keys(schema.properties));
    this.checker = new OptionsChecker(schema);
  }

  /**
   * @param path JSON pointer of `value`, used in faults
   * @param filters knows the names of filters
   */
  check(value: object, path: string, filters: FilterNames): CheckedParameters<P> {
    const faults: Fault[] = [];
    const unknown: string[] = [];
    const given: Record<string, unknown> = {};
    for (const [name, parameter] of Object.entries(value)) {
      if (this.saved && REQUEST_ONLY.has(name)) {
        if (parameter === null || parameter === '') continue;
        faults.push({
          path: path + pointerStep(name),
          message: 'belongs to one request and cannot be saved in a feed',
        });
      } else if (this.known.has(name)) {
        if (isGiven(name, parameter))
          given[name] = isOff(name, parameter) ? undefined : withoutNulls(name, parameter);
      } else if (parameter !== null && filters.get('filters', name) !== undefined) {
        faults.push(misplaced(name, path, ['filters']));
      } else {
        // Of very many unknown names the rest only counts.
        const is_compared = parameter !== null && unknown.length + faults.length < LIMITS.warnings_listed_max;
        const fault = is_compared ? this.meantFault(name, parameter, path, filters) : undefined;
        if (fault === undefined) unknown.push(name);
        else faults.push(fault);
      }
    }
    const found = this.checker.faults(given, '');
    faults.push(...found.map((fault) => ({ path: path + fault.path, message: fault.message })));
    // There may be more faults, so no parameter is known to be valid.
    if (found.length === LIMITS.faults_listed_max) return { given: {} as P, unknown, faults };
    for (const fault of found) leaveOut(given, fault.path);
    return { given: given as P, unknown, faults };
  }

  /** The fault of an unknown name that was meant for a known one, or that holds parameters. */
  private meantFault(
    name: string,
    parameter: unknown,
    path: string,
    filters: FilterNames,
  ): Fault | undefined {
    const fault = misspelt(name, path, this.known, [], filters);
    if (fault !== undefined || !isPlainObject(parameter)) return fault;
    const inner = Object.keys(parameter).find((key) => this.known.has(key) && !REQUEST_ONLY.has(key));
    if (inner === undefined) return undefined;
    const message = `belongs beside ${clip(name)}, not within it: {"${inner}":…}`;
    return { path: path + pointerStep(name) + pointerStep(inner), message };
  }
}

/** Checks of request bodies. They know no plugins, so all services of a process share them. */
export const REQUEST_CHECKERS = checkers<RequestParameters>(requestSchema, false);

/** Checks of the `config` of saved feeds. */
export const CONFIG_CHECKERS = checkers<FeedParameters>(configSchema, true);

function checkers<P>(schemaOf: (feed_type: FeedType) => TObject, saved: boolean) {
  const entries = FEED_TYPES.map((type) => [type, new ParameterChecker<P>(schemaOf(type), saved)] as const);
  // Safe: an entry per feed type.
  return Object.fromEntries(entries) as Readonly<Record<FeedType, ParameterChecker<P>>>;
}

/**
 * Makes the fault for a known name at a wrong place. If it were ignored, the feed would show more.
 * @param path JSON pointer of the object that contains the name
 * @param home the path to where it belongs
 */
export function misplaced(name: string, path: string, home: readonly string[]): Fault {
  const example = home.reduceRight((inside, outer) => `{"${outer}":${inside}}`, `{"${clip(name)}":…}`);
  return { path: path + pointerStep(name), message: `belongs in ${home.join('.')}: ${example}` };
}

/**
 * The fault of an unknown name that was probably meant for a known one. Undefined if it is like none.
 * @param known names of parameters
 * @param home the path to where parameters belong
 */
export function misspelt(
  name: string,
  path: string,
  known: Iterable<string>,
  home: readonly string[],
  filters: Pick<Registry, 'all'>,
): Fault | undefined {
  const parameter = nearMiss(name, known, true);
  if (parameter !== undefined) return meant(name, path, home, parameter);
  const ids = filters.all('filters').map(({ id }) => id);
  const filter = nearMiss(name, ids, false);
  return filter === undefined ? undefined : meant(name, path, [...home, 'filters'], filter);
}

/** The fault of an unknown name for which a known one was meant. @param home the path to where the known one belongs */
export function meant(name: string, path: string, home: readonly string[], known: string): Fault {
  const example = home.reduceRight((inside, outer) => `{"${outer}":${inside}}`, `{"${known}":…}`);
  return { path: path + pointerStep(name), message: `is not known; ${known} was probably meant: ${example}` };
}

/**
 * Removes a faulty value, so that the rest can be checked further.
 *
 * It removes the innermost member of an object that contains the fault. Removing a list entry would shift the entries
 * after it.
 * @param path JSON pointer
 */
function leaveOut(parameters: Record<string, unknown>, path: string): void {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  let holder = parameters;
  let member = steps[0];
  let at: unknown = parameters;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null) break;
    if (!Array.isArray(at)) {
      // Safe: an object that is not a list.
      holder = at as Record<string, unknown>;
      member = step;
    }
    at = (at as Record<string, unknown>)[step];
  }
  delete holder[member];
}

/** `null` counts as not given. So does an empty `feed_id` or `scoring`, which published clients send. */
function isGiven(name: string, value: unknown): boolean {
  return value !== null && !(value === '' && (name === 'scoring' || REQUEST_ONLY.has(name)));
}

/**
 * Removes members with the value `null`, which count as not given, from all objects within a parameter.
 *
 * `null` stays in lists, where it has a position, and beside names of filters and rules, which are resolved
 * nevertheless. In texts that answers may repeat, such as the name of a promotion, unpaired surrogates become U+FFFD.
 */
function withoutNulls(name: string, value: unknown): unknown {
  if (typeof value === 'string') return REQUEST_ONLY.has(name) ? value : value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => withoutNulls(name, element));
  const by_id = NAMED_BY_ID.has(name);
  // Within a plugin's options, names have the plugin's meaning.
  const is_within_options = by_id || name === OPTIONS;
  const kept: [string, unknown][] = [];
  // A loop, because a body may have hundreds of thousands of objects.
  for (const field_name in value) {
    const field = (value as Record<string, unknown>)[field_name];
    if (field === null && !by_id) continue;
    kept.push([field_name, withoutNulls(is_within_options ? OPTIONS : field_name, field)]);
  }
  return Object.fromEntries(kept);
}

/** Objects that map ids of plugins to their options. */
const NAMED_BY_ID: ReadonlySet<string> = new Set(['filters', 'visibility_rules']);

/** The name for a plugin's options and everything within them. */
const OPTIONS = 'options';

function isOff(name: string, value: unknown): boolean {
  return !REQUEST_ONLY.has(name) && switchesOff(value);
}

/**
 * Makes a warning per unknown field, up to the limit, and one with the number of further fields.
 * @param where the prefix of the names, such as `config.`
 * @param done what happened to the fields
 */
export function warningsFor(names: readonly string[], where: string, done: string): string[] {
  const listed = names.slice(0, LIMITS.warnings_listed_max);
  const warnings = listed.map((name) => `unknown field '${where}${clip(name)}' was ${done}`);
  const more = names.length - listed.length;
  if (more > 0) warnings.push(`${more} more unknown fields were ${done}`);
  return warnings;
}
