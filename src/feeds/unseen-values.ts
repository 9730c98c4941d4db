import { detectedLanguages } from '../ingest/detect-language.ts';
import { type NamedValue, NONE, primaryLanguage } from '../plugin/index.ts';
import type { Registry } from '../registry/registry.ts';
import type { State } from '../state/state.ts';
import { compileFilters } from './compile-feed.ts';
import type { BoundFilter, CompiledFeed } from './compiled-feed.ts';
import type { CheckedFeed } from './feed-object.ts';
import type { CompiledPromotion } from './promotion.ts';

/** Maximum number of listed values per answer. */
const LISTED_MAX = 20;
/** Maximum length of a value in a warning. Channels are URLs that often differ at the end. */
const SHOWN_MAX = 256;

/**
 * Warns about values of filters that no item in this network ever had, and unknown lists, up to the limit.
 *
 * Most are misspelt, and the page would be empty without an explanation. O(values), one lookup each.
 * @param place the path of the filters, such as `config.filters`
 */
function unseenValues(filters: readonly BoundFilter[], place: string, state: State): string[] {
  const warnings: string[] = [];
  // Feeds may be created before anything is ingested.
  if (state.by_time.length(0) === 0) return warnings;
  for (const { id, named_values } of filters) {
    for (const named of named_values) {
      if (named.values.some((value) => isKnown(state, named, value))) continue;
      if (warnings.length === LISTED_MAX) return [...warnings, `${place}: further values are unknown here`];
      const noun = NOUNS.get(named.column);
      const said =
        noun === undefined
          ? `no item has '${shortened(named.given)}'`
          : `there is no ${noun} '${shortened(named.values[0])}'`;
      warnings.push(`${place}.${id}: ${said} so far`);
    }
  }
  return warnings;
}

/** What a missing value of these columns is called. */
const NOUNS: ReadonlyMap<NamedValue['column'], string> = new Map([
  ['author', 'user'],
  ['list_id', 'list of users'],
]);

function isKnown({ users, user_lists, groups }: State, { column }: NamedValue, value: string): boolean {
  if (column === 'list_id') return user_lists.get(value) !== undefined;
  return (column === 'author' ? users.names.find(value) : groups[column].code(value)) !== NONE;
}

function shortened(text: string): string {
  return text.length <= SHOWN_MAX ? text.toWellFormed() : `${text.slice(0, SHOWN_MAX).toWellFormed()}…`;
}

/** The warnings about filters of a feed and of its promotion, when it is saved. */
export function savedValueWarnings(
  registry: Registry,
  { compiled, parameters }: CheckedFeed,
  state: State,
): string[] {
  const filters = compiled?.filters ?? [];
  const promoted = compileFilters(registry, parameters.promotion_filters?.[0]?.filters ?? {}, '', []);
  return [
    ...undetectedLanguages(filters, SAVED_FILTERS),
    ...undetectedLanguages(promoted, SAVED_PROMOTED),
    ...unseenValues(filters, SAVED_FILTERS, state),
    ...unseenValues(promoted, SAVED_PROMOTED, state),
  ];
}

const SAVED_FILTERS = 'config.filters';
const SAVED_PROMOTED = 'config.promotion_filters.0.filters';

/** Languages of items whose language was detected. */
const DETECTED: ReadonlySet<string> = new Set(
  detectedLanguages().map(({ language }) => primaryLanguage(language)),
);

/** Warns about languages in filters that the service cannot detect, up to the limit. */
function undetectedLanguages(filters: readonly BoundFilter[], place: string): string[] {
  const said = filters.flatMap(({ id, named_values }) =>
    named_values
      .filter(({ column, values }) => column === 'language' && !values.some((value) => DETECTED.has(value)))
      .map(
        ({ given }) =>
          `${place}.${id}: '${shortened(given)}' is not detected (GET /api/languages): only items that say their language match`,
      ),
  );
  return said.slice(0, LISTED_MAX);
}

/** The part of a feed's plan that has filters. */
interface Filters {
  compiled: CompiledFeed;
  promotion: CompiledPromotion | undefined;
  shows(parameter: 'filters' | 'promotion_filters', filter?: string): boolean;
}

/** The warnings about filters of a feed and of its promotion that an answer may show. */
export function unseenInPlan({ compiled, promotion, shows }: Filters, state: State): string[] {
  const shown = compiled.filters.filter(({ id }) => shows('filters', id));
  const warnings = unseenValues(shown, 'filters', state);
  if (promotion?.filters === undefined || !shows('promotion_filters')) return warnings;
  return [...warnings, ...unseenValues(promotion.filters, 'promotion_filters.0.filters', state)];
}
