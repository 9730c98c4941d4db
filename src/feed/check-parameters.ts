import type { TObject } from '@sinclair/typebox';
import type { Fault } from '../errors.ts';
import { clip, pointerStep } from '../ingest/records/refusal.ts';
import { LIMITS } from '../limits.ts';
import type { FeedType } from '../plugin/index.ts';
import { OptionsChecker } from '../registry/options.ts';
import type { Registry } from '../registry/registry.ts';
import {
  configSchema,
  type FeedParameters,
  REQUEST_ONLY,
  type RequestParameters,
  requestSchema,
  switchesOff,
} from './parameters.ts';

/** What became of the parameters of a request or a `config`. */
export interface CheckedParameters<P> {
  /**
   * What was given, without what there are faults of; nothing of it when these are too many to list. A property that is there and `undefined` is switched off, so
   * `{ ...saved, ...given }` loses what was saved.
   */
  given: P;
  /** Names that mean nothing to this service. */
  unknown: string[];
  faults: Fault[];
}

/** What tells the names of filters from others. */
type FilterNames = Pick<Registry, 'get'>;

/** Checks parameters against one schema; the schema is compiled at the first use. */
export class ParameterChecker<P> {
  private readonly known: ReadonlySet<string>;
  private readonly checker: OptionsChecker;

  private constructor(
    readonly schema: TObject,
    private readonly saved: boolean,
  ) {
    this.known = new Set(Object.keys(schema.properties));
    this.checker = new OptionsChecker(schema);
  }

  static ofRequests(feed_type: FeedType): ParameterChecker<RequestParameters> {
    return new ParameterChecker(requestSchema(feed_type), false);
  }

  static ofConfigs(feed_type: FeedType): ParameterChecker<FeedParameters> {
    return new ParameterChecker(configSchema(feed_type), true);
  }

  /**
   * @param path JSON pointer of `value`, for the faults
   * @param filters knows what is a filter
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
      } else unknown.push(name);
    }
    const found = this.checker.faults(given, '');
    faults.push(...found.map((fault) => ({ path: path + fault.path, message: fault.message })));
    // There may be more that nobody has looked for: nothing is known to be sound.
    if (found.length === LIMITS.faults_listed_max) return { given: {} as P, unknown, faults };
    for (const fault of found) leaveOut(given, fault.path);
    return { given: given as P, unknown, faults };
  }
}

/**
 * What is wrong with a name that means something, but not where it stands: ignored, it would widen the feed.
 * @param path JSON pointer of the object that has it
 * @param home where it belongs, from outside in
 */
export function misplaced(name: string, path: string, home: readonly string[]): Fault {
  const example = home.reduceRight((inside, outer) => `{"${outer}":${inside}}`, `{"${clip(name)}":…}`);
  return { path: path + pointerStep(name), message: `belongs in ${home.join('.')}: ${example}` };
}

/**
 * Takes out what is wrong, so that the rest can be looked at further: the innermost member of an object that holds it,
 * as what follows it in a list would lose its place.
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
      // Sound: an object that is no list.
      holder = at as Record<string, unknown>;
      member = step;
    }
    at = (at as Record<string, unknown>)[step];
  }
  delete holder[member];
}

/** `null` counts as not given, and so does an empty `feed_id` or `scoring`, which published clients send. */
function isGiven(name: string, value: unknown): boolean {
  return value !== null && !(value === '' && (name === 'scoring' || REQUEST_ONLY.has(name)));
}

/**
 * `null` counts as not given in every object within a parameter, in the options of plugins, too. It stays in lists,
 * where it has a place, and beside the names of filters and rules, which are looked up all the same. Texts that a feed
 * may answer, such as the name of a promotion, get U+FFFD for half surrogate pairs.
 */
function withoutNulls(name: string, value: unknown): unknown {
  if (typeof value === 'string') return REQUEST_ONLY.has(name) ? value : value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => withoutNulls(name, element));
  const by_id = NAMED_BY_ID.has(name);
  const kept = Object.entries(value).filter(([, field]) => by_id || field !== null);
  // Within the options of a plugin a name means whatever the plugin says.
  const nameWithin = (field_name: string) => (by_id || name === OPTIONS ? OPTIONS : field_name);
  return Object.fromEntries(
    kept.map(([field_name, field]) => [field_name, withoutNulls(nameWithin(field_name), field)]),
  );
}

/** Objects from the ids of plugins to their options. */
const NAMED_BY_ID: ReadonlySet<string> = new Set(['filters', 'visibility_rules']);

/** The options of a plugin, and whatever is within them. */
const OPTIONS = 'options';

function isOff(name: string, value: unknown): boolean {
  return !REQUEST_ONLY.has(name) && switchesOff(value);
}

/**
 * A warning for each unknown field, as far as an answer lists them, and how many more there are.
 * @param where what stands before their names, for example `config.`
 * @param done what was done with them
 */
export function warningsFor(names: readonly string[], where: string, done: string): string[] {
  const listed = names.slice(0, LIMITS.warnings_listed_max);
  const warnings = listed.map((name) => `unknown field '${where}${clip(name)}' was ${done}`);
  const more = names.length - listed.length;
  if (more > 0) warnings.push(`${more} more unknown fields were ${done}`);
  return warnings;
}
