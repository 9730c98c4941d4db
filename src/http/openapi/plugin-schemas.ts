import { type TSchema, Type } from '@sinclair/typebox';
import { strict } from '../../answer/schema-parts.ts';
import { DEFAULT_SCORING } from '../../feeds/compile-feed.ts';
import { Promotion } from '../../feeds/parameters.ts';
import { FEED_TYPES, type FeedType } from '../../plugin/index.ts';
import { BUILT_IN, type Registered, type Registry } from '../../registry/registry.ts';
import { publishedOptions } from './published-options.ts';
import { named, refTo } from './schema.ts';

/** Name of a schema that each feed type has, such as `ForYouScoring`. */
export function feedSchemaName(
  feed_type: FeedType,
  what: 'Request' | 'Question' | 'Config' | 'Scoring',
): string {
  return { 'for-you': 'ForYou', trending: 'Trending', popular: 'Popular' }[feed_type] + what;
}

/** The schemas that depend on the loaded plugins. */
export function pluginSchemas(registry: Registry): TSchema[] {
  return [
    filtersSchema(registry),
    ...FEED_TYPES.map((feed_type) => scoringSchema(registry, feed_type)),
    rulesSchema(registry),
    promotionSchema(registry),
  ];
}

function filtersSchema(registry: Registry): TSchema {
  const properties = registry.all('filters').map((filter) => {
    const { id, extension, options } = filter;
    const form = options.schema.description;
    const value = form === undefined ? '' : ` Value: ${form}.`;
    return [
      id,
      Type.Optional({ ...publishedOptions('filters', filter), description: `${extension.summary}${value}` }),
    ];
  });
  return named(
    'Filters',
    strict(
      Object.fromEntries(properties),
      'Which items a feed contains. An item must match every filter; within one filter, any of its values. `null`, `""`, `[]` and `"none"` switch a filter off. Unknown names are refused.',
    ),
  );
}

function scoringSchema(registry: Registry, feed_type: FeedType): TSchema {
  const functions = registry
    .all('scoring_functions')
    .filter(({ extension }) => extension.feeds?.includes(feed_type) ?? true);
  const ids = [DEFAULT_SCORING, ...functions.map(({ id }) => id)];
  const summaries = functions.map(({ id, extension }) => `\`${id}\`: ${extension.summary}`);
  return named(
    feedSchemaName(feed_type, 'Scoring'),
    Type.Union([Type.Unsafe({ type: 'string', enum: ids }), ...functions.map(withOptions)], {
      description: [
        `Order of ${feed_type} feeds: the id of a scoring function, or an id with options. Default \`${DEFAULT_SCORING}\`.`,
        ...summaries,
      ].join('\n\n'),
      example: ids[1],
    }),
  );
}

function withOptions(scoring: Registered<{ summary: string }>): TSchema {
  const { id, extension } = scoring;
  const options = publishedOptions('scoring_functions', scoring);
  return strict(
    {
      name: Type.Literal(id, { description: 'Id of the scoring function.' }),
      options: Type.Optional({ ...options, description: `Options of \`${id}\`.` }),
    },
    extension.summary,
  );
}

/** Built-in rules have their own fields in the request, so this schema names only third-party rules. */
function rulesSchema(registry: Registry): TSchema {
  const rules = registry.all('visibility_rules').filter(({ source }) => source !== BUILT_IN);
  const properties = rules.map((rule) => [
    rule.id,
    Type.Optional({ ...publishedOptions('visibility_rules', rule), description: rule.extension.summary }),
  ]);
  return named(
    'VisibilityRules',
    strict(
      Object.fromEntries(properties),
      "Third-party visibility rules: the rule's id, with its options as value.",
    ),
  );
}

/** Built-in strategies take their options from the fields of the promotion itself. */
function promotionSchema(registry: Registry): TSchema {
  const strategies = registry.all('promotion_strategies');
  const summaries = strategies.map(({ id, extension }) => `\`${id}\`: ${extension.summary}`);
  const external = strategies
    .filter(({ source }) => source !== BUILT_IN)
    .map((strategy) => ({
      ...publishedOptions('promotion_strategies', strategy),
      description: `Options of \`${strategy.id}\`.`,
    }));
  const { options, ...properties } = Promotion.properties;
  return named(
    'Promotion',
    Type.Object(
      {
        ...properties,
        promotion_type: Type.Unsafe({
          type: 'string',
          enum: strategies.map(({ id }) => id),
          description: ['How promoted items are mixed into the page.', ...summaries].join('\n\n'),
        }),
        filters: Type.Optional(refTo('Filters')),
        options: external.length === 0 ? options : Type.Optional(Type.Union(external)),
      },
      { additionalProperties: false, description: 'Items of a list or a feed that are mixed into the page.' },
    ),
  );
}
