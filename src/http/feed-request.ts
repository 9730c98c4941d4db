import { type Static, Type } from '@sinclair/typebox';
import { invalidValue, ServiceError } from '../errors.ts';
import { isOff } from '../feed/compile-feed.ts';
import type { FeedRequest } from '../feed/serve-feed.ts';
import { numberableIdentifier } from '../ingest/records/checks.ts';
import { clip, Refusal } from '../ingest/records/refusal.ts';
import { LIMITS } from '../limits.ts';
import type { FeedType } from '../plugin/index.ts';
import { OptionsChecker } from '../registry/options.ts';

const Identifier = Type.Union([Type.String(), Type.Integer()], {
  description: `an identifier of 1 to ${LIMITS.id_length_max} characters, or an integer up to 2^53-1`,
});

/** The body of a feed request, spec 2.5, as far as this service knows it. */
function feedRequestSchema(top_k_max: number) {
  return Type.Object({
    user_id: Type.Optional(Identifier),
    wallet_address: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LIMITS.id_length_max,
        description: `an address of 1 to ${LIMITS.id_length_max} characters`,
      }),
    ),
    top_k: Type.Optional(
      Type.Integer({ minimum: 1, maximum: top_k_max, description: `an integer from 1 to ${top_k_max}` }),
    ),
    impression_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'an integer from 0 to 2^53-1',
      }),
    ),
    filters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'an object of filters' }),
    ),
    scoring: Type.Optional(
      Type.Union(
        [
          Type.String(),
          Type.Object(
            { name: Type.String(), options: Type.Optional(Type.Unknown()) },
            { additionalProperties: false },
          ),
        ],
        {
          description: 'the id of a scoring function, or {"name": id, "options": {…}}',
        },
      ),
    ),
    show_interacted_items: Type.Optional(Type.Boolean({ description: 'true or false' })),
    remove_user_posts_from_feed: Type.Optional(Type.Boolean({ description: 'true or false' })),
    visibility_rules: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'an object from rule id to its options' }),
    ),
    return_only_posts_with_social_proof: Type.Optional(Type.Boolean({ description: 'true or false' })),
    time_decay: Type.Optional(
      Type.Union(
        [
          Type.Literal('low'),
          Type.Literal('medium'),
          Type.Literal('high'),
          Type.Object(
            {
              half_life_hours: Type.Number({ exclusiveMinimum: 0, description: 'a number of hours above 0' }),
            },
            { additionalProperties: false },
          ),
        ],
        { description: 'none, low, medium, high, or {"half_life_hours": n} with n above 0' },
      ),
    ),
    feed_diversity_config: Type.Optional(
      Type.Object(
        {
          max_posts_per_author: Type.Optional(
            Type.Integer({ minimum: 1, description: 'an integer of at least 1' }),
          ),
          min_distance_between_posts_from_same_author: Type.Optional(
            Type.Integer({ minimum: 0, description: 'an integer of at least 0' }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    page_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.top_k_max_ranked,
        description: `an integer from 1 to ${LIMITS.top_k_max_ranked}`,
      }),
    ),
    page_number: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.page_number_max,
        description: `an integer from 1 to ${LIMITS.page_number_max}`,
      }),
    ),
    return_metadata: Type.Optional(Type.Boolean({ description: 'true or false' })),
    seed: Type.Optional(
      Type.Integer({
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'an integer up to 2^53-1',
      }),
    ),
  });
}

/**
 * Parameters of the wire contract that this version cannot honour. They are refused unless their value
 * switches them off: a feed that silently ignores what it was asked for is a wrong feed.
 */
const NOT_SUPPORTED = new Set([
  'feed_id',
  'fallback_feeds',
  'return_global_fallback',
  'cold_start_feed',
  'cold_start',
  'promotion_filters',
  'explain',
  'request_id',
]);

/** Fields that no saved feed can hold, so there is nothing that a `none` could switch off. */
const NEVER_SAVED = new Set(['user_id', 'wallet_address', 'impression_count', 'page_number', 'seed']);

export interface ParsedFeedRequest {
  request: FeedRequest;
  warnings: string[];
}

/** Checks feed requests of one type. */
export class FeedRequestParser {
  private readonly schema;
  private readonly checker: OptionsChecker;
  private readonly known: ReadonlySet<string>;

  constructor(private readonly feed_type: FeedType) {
    this.schema = feedRequestSchema(
      feed_type === 'for-you' ? LIMITS.top_k_max_for_you : LIMITS.top_k_max_ranked,
    );
    this.checker = new OptionsChecker(this.schema);
    this.known = new Set(Object.keys(this.schema.properties));
  }

  /**
   * @param body the JSON value of the body, `undefined` for none
   * @throws ServiceError `invalid_value`, `not_supported`
   */
  parse(body: unknown): ParsedFeedRequest {
    const value = body ?? {};
    if (typeof value !== 'object' || Array.isArray(value)) {
      throw invalidValue([{ path: '', message: 'must be a JSON object' }]);
    }
    const unknown: string[] = [];
    const given: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) {
      if (this.known.has(name)) {
        if (isGiven(name, field)) given[name] = field;
      } else if (!NOT_SUPPORTED.has(name)) unknown.push(name);
      else if (!isOff(field) && field !== false) throw notSupported(name, `/${name}`);
    }
    const checked = this.checker.check(given, '');
    if (!checked.ok) throw invalidValue(checked.faults);
    const warnings = warningsOf(unknown);
    if (this.feed_type === 'for-you' && ('page_size' in given || 'page_number' in given)) {
      warnings.push('page_size and page_number were ignored: a for-you feed has no plain pages');
    }
    return { request: this.complete(given as Given), warnings };
  }

  /** `top_k` wins over plain pages, which for-you feeds do not have. */
  private paging({ top_k, page_size, page_number }: Given): Paging {
    if (top_k !== undefined) return { top_k };
    const plain = page_size !== undefined || page_number !== undefined;
    const size = page_size ?? LIMITS.top_k_default;
    if (!plain || this.feed_type === 'for-you') return { top_k: LIMITS.top_k_default };
    return { top_k: size, offset: ((page_number ?? 1) - 1) * size };
  }

  private complete(given: Given): FeedRequest {
    const user_id = given.user_id === undefined ? undefined : numberableIdentifier(given.user_id);
    if (user_id instanceof Refusal) {
      throw invalidValue(user_id.faults.map(({ path, message }) => ({ path: `/user_id${path}`, message })));
    }
    if (this.feed_type === 'for-you' && user_id === undefined && given.wallet_address === undefined) {
      throw invalidValue([
        { path: '/user_id', message: 'is required for a for-you feed (or wallet_address)' },
      ]);
    }
    return {
      ...given,
      ...this.paging(given),
      user_id,
      impression_count: given.impression_count ?? 0,
      return_metadata: given.return_metadata ?? false,
    };
  }
}

/** How many items, and from where on when plain pages are asked for. */
type Paging = Pick<FeedRequest, 'top_k' | 'offset'>;

type Given = Static<ReturnType<typeof feedRequestSchema>>;

function notSupported(what: string, path: string): ServiceError {
  return new ServiceError('not_supported', `${what} is not supported by this version of the service`, [
    { path, message: 'is not supported by this version' },
  ]);
}

function warningsOf(unknown: readonly string[]): string[] {
  const listed = unknown.slice(0, LIMITS.warnings_listed_max);
  const warnings = listed.map((name) => `unknown field '${clip(name)}' was ignored`);
  const more = unknown.length - listed.length;
  if (more > 0) warnings.push(`${more} more unknown fields were ignored`);
  return warnings;
}

function isGiven(name: string, value: unknown): boolean {
  return NEVER_SAVED.has(name) ? value !== null && value !== '' : !isOff(value);
}
