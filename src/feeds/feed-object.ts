import { type Static, Type } from '@sinclair/typebox';
import { type Fault, ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { clip, isPlainObject } from '../model/values/refusal.ts';
import { roundedIn } from '../model/values/rounded.ts';
import { wellFormed } from '../model/values/well-formed.ts';
import { FEED_TYPES, type FeedType } from '../plugin/index.ts';
import { OptionsChecker } from '../registry/options.ts';
import { type Registry, readsWords } from '../registry/registry.ts';
import { besideConfig } from './beside-config.ts';
import { CONFIG_CHECKERS, warningsFor } from './check-parameters.ts';
import { compileFeed } from './compile-feed.ts';
import type { CompiledFeed } from './compiled-feed.ts';
import type { FeedParameters } from './parameters.ts';
import { compilePromotion, promotedFeed, promotionWarnings } from './promotion.ts';

const NAME_LENGTH_MAX = 256;
const DESCRIPTION_LENGTH_MAX = 10_000;
const URL_LENGTH_MAX = 2048;

/** A saved feed as accounts send it. Spec 2.1. */
export const FeedObjectSchema = Type.Object({
  name: Type.String({
    maxLength: NAME_LENGTH_MAX,
    pattern: '\\S',
    description: `a text of 1 to ${NAME_LENGTH_MAX} characters`,
    meaning: 'Name for people. Required when the feed is created.',
  }),
  description: Type.String({
    maxLength: DESCRIPTION_LENGTH_MAX,
    description: `a text of at most ${DESCRIPTION_LENGTH_MAX} characters`,
    meaning: 'Description for people. Default empty.',
  }),
  endpoint: Type.Union(
    [
      Type.Literal('feeds/for-you'),
      Type.Literal('feeds/trending'),
      Type.Literal('feeds/popular'),
      Type.Literal('casts/feed/for-you'),
      Type.Literal('casts/feed/trending'),
      Type.Literal('casts/feed/popular'),
    ],
    {
      meaning:
        'Feed type: `feeds/for-you` (default), `feeds/trending` or `feeds/popular`. `casts/feed/…` means the same, and is returned as it was sent.',
    },
  ),
  status: Type.Union([Type.Literal('active'), Type.Literal('inactive')], {
    meaning: 'An `inactive` feed is kept but cannot be requested. Default `active`.',
  }),
  visibility: Type.Union([Type.Literal('private'), Type.Literal('public'), Type.Literal('template')], {
    meaning:
      'Access of other accounts: none (`private`, the default), reading and building pages (`public`), or the same and the feed is listed for them (`template`).',
  }),
  config: Type.Record(Type.String(), Type.Unknown(), {
    description: 'an object',
    meaning: 'The parameters of its pages. Unused keys are kept unchanged and named in `warnings`.',
  }),
  feed_image_url: Type.String({
    maxLength: URL_LENGTH_MAX,
    pattern: '^$|^(https?|ipfs)://\\S+$',
    description: `a URL (https, http, ipfs) of at most ${URL_LENGTH_MAX} characters`,
    meaning: 'URL of a picture. Default empty.',
  }),
  short_name: Type.Union([Type.String({ maxLength: NAME_LENGTH_MAX }), Type.Null()], {
    description: `a text of at most ${NAME_LENGTH_MAX} characters, or null`,
    meaning: 'A short name. Default null.',
  }),
});

/** A saved feed as it is stored and returned. `config` contains everything that was sent in it. */
export type FeedObject = Static<typeof FeedObjectSchema>;

const FIELDS = new OptionsChecker(FeedObjectSchema);

export type Visibility = FeedObject['visibility'];

export const VISIBILITIES: readonly Visibility[] = ['private', 'public', 'template'];

/** The defaults of a new feed. The name has none. */
const DEFAULTS: Omit<FeedObject, 'name'> & { name: null } = {
  name: null,
  description: '',
  endpoint: 'feeds/for-you',
  status: 'active',
  visibility: 'private',
  config: {},
  feed_image_url: '',
  short_name: null,
};

/**
 * The prefixes of feed types in paths and in a saved `endpoint`. Both mean the same.
 *
 * The first is the neutral spelling, and the second the one of published clients.
 */
export const ENDPOINT_PREFIXES = ['feeds', 'casts/feed'] as const;

/** The feed type of an endpoint in either spelling. Undefined for any other text. */
export function feedTypeOf(endpoint: unknown): FeedType | undefined {
  return FEED_TYPES.find((type) => ENDPOINT_PREFIXES.some((prefix) => endpoint === `${prefix}/${type}`));
}

/** Fields that the service sets. They are ignored if clients send them back. */
const READ_ONLY = new Set(['config_id', 'revision', 'created_at', 'updated_at']);

/** The content of a feed before plugins and other feeds are resolved. */
interface ReadConfig {
  feed_type: FeedType;
  parameters: FeedParameters;
  faults: Fault[];
  warnings: string[];
}

export interface CheckedFeed extends ReadConfig {
  object: FeedObject;
  /** Undefined if there are faults. */
  compiled: CompiledFeed | undefined;
}

/** A checked change of a feed. */
export interface ChangedFeed extends Pick<CheckedFeed, 'object' | 'faults' | 'warnings'> {
  /** The new definition of the feed. Undefined if it stays the same. */
  rebuilt: CheckedFeed | undefined;
}

/** A feed that is checked without plugins and other feeds. */
export interface CheckedForm extends Pick<CheckedFeed, 'object' | 'faults'> {
  /** Unknown names. */
  unknown: string[];
}

/** Checks saved feeds completely, with the loaded plugins. */
export class FeedObjectChecker {
  constructor(private readonly registry: Registry) {}

  /**
   * Checks a feed. Given fields replace those of `former` or the defaults. `null` counts as not given, unless the
   * field may be null.
   * @param refers whether the feed's owner may refer to a feed
   * @throws ServiceError `plugin_failed`
   */
  check(given: object, former: FeedObject | undefined, refers: (feed_id: string) => boolean): CheckedFeed {
    const fields = this.fieldsOf(given, former);
    const config = this.readConfig(fields.object);
    const further: Fault[] = [];
    this.checkMixing(config.parameters, refers, further);
    const result = this.compile(fields.object, config, further);
    const faults = withFurther([...fields.faults, ...config.faults], further);
    const compiled = faults.length === 0 ? result : undefined;
    const warnings = warningsOf(given, fields.unknown, config);
    return { ...config, object: fields.object, compiled, faults, warnings };
  }

  /**
   * Checks a change of `former`.
   *
   * If config and endpoint stay the same (as JSON), their plugins and feeds are not resolved again. Otherwise the
   * feed is checked completely. Feeds that it named before may be missing, since they are skipped when a page is
   * built.
   * @throws ServiceError `plugin_failed`
   */
  change(given: object, former: FeedObject, refers: (feed_id: string) => boolean): ChangedFeed {
    const { object, unknown, faults } = this.fieldsOf(given, former);
    if (object.endpoint === former.endpoint && Bun.deepEquals(object.config, former.config)) {
      const warnings = warningsOf(given, unknown, this.readConfig(object));
      return { object, faults, warnings, rebuilt: undefined };
    }
    const before = new Set(feedsNamed(this.readConfig(former).parameters).map(([, feed_id]) => feed_id));
    const rebuilt = this.check(given, former, (feed_id) => before.has(feed_id) || refers(feed_id));
    return { ...rebuilt, rebuilt };
  }

  /**
   * Checks a feed of a file like a new one, except whether its plugins and feeds exist, which only a start can check.
   */
  checkForm(given: object): CheckedForm {
    const { object, unknown, faults } = this.fieldsOf(given, undefined);
    return { object, unknown, faults: [...faults, ...this.readConfig(object).faults] };
  }

  /** @returns the complete object, with the faults of all fields outside `config` */
  private fieldsOf(given: object, former: FeedObject | undefined): CheckedForm {
    const fields = new Map<string, unknown>(Object.entries(former ?? DEFAULTS));
    const others: [string, unknown][] = [];
    for (const [name, value] of Object.entries(given)) {
      if (READ_ONLY.has(name)) continue;
      if (!Object.hasOwn(FeedObjectSchema.properties, name)) others.push([name, value]);
      else if (value !== null || name === 'short_name') fields.set(name, wellFormed(value));
    }
    const { unknown, faults } = besideConfig(others, this.registry);
    if (fields.get('name') === null) fields.delete('name');
    const object = Object.fromEntries(fields) as FeedObject;
    const checked = FIELDS.check(object, '');
    return { object, unknown, faults: checked.ok ? faults : [...faults, ...checked.faults] };
  }

  private readConfig({ config, endpoint }: FeedObject): ReadConfig {
    // Without an endpoint, faults that apply to every feed type are still reported.
    const feed_type = feedTypeOf(endpoint) ?? 'popular';
    if (!isPlainObject(config)) return { feed_type, parameters: {}, faults: [], warnings: [] };
    if (JSON.stringify(config).length > LIMITS.config_length_max) {
      const message = `must be at most ${LIMITS.config_length_max} characters of JSON`;
      return { feed_type, parameters: {}, faults: [{ path: '/config', message }], warnings: [] };
    }
    const { given, unknown, faults } = CONFIG_CHECKERS[feed_type].check(config, '/config', this.registry);
    const warnings = [...warningsFor(unknown, 'config.', 'kept, unused'), ...roundedIn(config, '/config')];
    if (feed_type === 'for-you' && given.page_size !== undefined) {
      warnings.push('config.page_size was kept, but a for-you feed has no plain pages');
    }
    for (const promotion of given.promotion_filters ?? [])
      warnings.push(...promotionWarnings(this.registry, promotion));
    return { feed_type, parameters: given, faults, warnings };
  }

  /** Checks promotions and references to other feeds, which must exist when the feed is saved. */
  private checkMixing(
    parameters: FeedParameters,
    refers: (feed_id: string) => boolean,
    faults: Fault[],
  ): void {
    for (const promotion of parameters.promotion_filters ?? [])
      compilePromotion(this.registry, promotion, '/config/promotion_filters/0', faults);
    for (const [path, feed_id] of feedsNamed(parameters)) {
      if (refers(feed_id)) continue;
      faults.push({ path: `/config/${path}`, message: `there is no feed '${clip(feed_id)}' that is active` });
    }
  }

  /** Compiles the feed. Undefined if that adds faults to `faults`. */
  private compile(
    { config, endpoint }: FeedObject,
    { feed_type, parameters }: ReadConfig,
    faults: Fault[],
  ): CompiledFeed | undefined {
    if (!isPlainObject(config)) return undefined;
    const known = feedTypeOf(endpoint) !== undefined;
    const compilable = known ? parameters : { ...parameters, scoring: undefined };
    try {
      return compileFeed(this.registry, feed_type, compilable);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.errors === undefined) throw error;
      faults.push(...error.errors.map(({ path, message }) => ({ path: `/config${path}`, message })));
      return undefined;
    }
  }
}

/** Adds further faults, without those that follow from parts that were removed because of known faults. */
function withFurther(known: readonly Fault[], further: readonly Fault[]): Fault[] {
  const isKnown = ({ path }: Fault) =>
    known.some((fault) => fault.path === path || fault.path.startsWith(`${path}/`));
  return [...known, ...further.filter((fault) => !isKnown(fault))];
}

/** Warnings about `config` are only returned if the caller sent it. */
function warningsOf(given: object, unknown: readonly string[], config: ReadConfig): string[] {
  const warnings = warningsFor(unknown, '', 'ignored');
  return Object.hasOwn(given, 'config') ? [...warnings, ...config.warnings] : warnings;
}

/** The feeds that a feed refers to, each with its path in `config`. */
function feedsNamed(parameters: FeedParameters): [path: string, feed_id: string][] {
  const { fallback_feeds = [], cold_start_feed, cold_start, promotion_filters = [] } = parameters;
  const named: [string, string | undefined][] = [
    ...fallback_feeds.map(({ feed_id }, index): [string, string] => [
      `fallback_feeds/${index}/feed_id`,
      feed_id,
    ]),
    ['cold_start_feed', cold_start_feed],
    ['cold_start/feed_id', cold_start?.feed_id],
    ['promotion_filters/0/feed_id', promotion_filters.map(promotedFeed)[0]],
  ];
  return named.flatMap(([path, feed_id]) => (feed_id === undefined ? [] : [[path, feed_id]]));
}

/** Whether a filter of a feed or of its promotion reads the words of items. */
export function filtersByWords(registry: Registry, parameters: FeedParameters): boolean {
  const { filters = {}, promotion_filters = [] } = parameters;
  const all = [filters, ...promotion_filters.map((promotion) => promotion.filters ?? {})];
  return all.flatMap(Object.keys).some((id) => readsWords(registry.get('filters', id)?.extension ?? {}));
}

/** The ids of plugins that a feed uses and that are not loaded. */
export function missingPlugins(registry: Registry, parameters: FeedParameters): string[] {
  const { filters = {}, scoring, visibility_rules = {}, promotion_filters = [] } = parameters;
  const scoring_id = typeof scoring === 'object' ? scoring.name : scoring;
  const missing = [
    ...[filters, ...promotion_filters.map((promotion) => promotion.filters ?? {})]
      .flatMap(Object.keys)
      .filter((id) => registry.get('filters', id) === undefined),
    ...[scoring_id ?? ''].filter((id) => registry.get('scoring_functions', id) === undefined),
    ...Object.keys(visibility_rules).filter((id) => registry.get('visibility_rules', id) === undefined),
    ...promotion_filters
      .map(({ promotion_type = '' }) => promotion_type)
      .filter((id) => registry.get('promotion_strategies', id) === undefined),
  ];
  return missing.filter((id) => id.includes('/'));
}
