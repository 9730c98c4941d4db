import { type Fault, invalidValue } from '../../errors.ts';
import { type CheckedParameters, REQUEST_CHECKERS, warningsFor } from '../../feeds/check-parameters.ts';
import type { FeedParameters, RequestParameters } from '../../feeds/parameters.ts';
import type { FeedRequest } from '../../feeds/resolve-feed.ts';
import { identifier } from '../../model/values/checks.ts';
import { Refusal, refuse } from '../../model/values/refusal.ts';
import { roundedIn } from '../../model/values/rounded.ts';
import type { FeedType } from '../../plugin/index.ts';
import { isInRankingOrder } from '../../registry/rankings.ts';
import type { Registry } from '../../registry/registry.ts';
import { objectIn } from '../transport/body.ts';

export interface ParsedFeedRequest {
  request: FeedRequest;
  warnings: string[];
}

/** What requests may refer to. */
export interface KnownFeeds {
  registry: Registry;
  /** The scoring of the feed that a request names. */
  scoringOf(feed_id: string | undefined): FeedParameters['scoring'];
}

export interface CheckedFeedRequest extends ParsedFeedRequest {
  faults: Fault[];
}

/** Checks feed requests of one type. */
export class FeedRequestParser {
  constructor(private readonly feed_type: FeedType) {}

  /**
   * @param body JSON value of the body; `undefined` for an empty body
   * @throws ServiceError `invalid_value`
   */
  parse(body: unknown, known: KnownFeeds): ParsedFeedRequest {
    return sound(this.check(objectIn(body ?? {}), known));
  }

  /** Checks a request to explain one item, which also has `item_id`. */
  parseQuestion(body: unknown, known: KnownFeeds): ParsedFeedRequest & { item_id: string } {
    const { item_id: given, ...fields } = objectIn(body ?? {});
    const item_id = given === undefined || given === null ? refuse('is required') : identifier(given);
    const refused = item_id instanceof Refusal;
    const faults = refused ? item_id.faults.map(({ message }) => ({ path: '/item_id', message })) : [];
    const checked = this.check(fields, known);
    const parsed = sound({ ...checked, faults: [...faults, ...checked.faults] });
    return { ...parsed, item_id: refused ? '' : item_id };
  }

  /** Checks the fields of a request. The returned request is valid only if there are no faults. */
  check(fields: object, known: KnownFeeds): CheckedFeedRequest {
    const checked = REQUEST_CHECKERS[this.feed_type].check(fields, '', known.registry);
    const user_id = this.viewer(checked, known);
    const { given, unknown, faults } = checked;
    const warnings = [...warningsFor(unknown, '', 'ignored'), ...roundedIn(fields, '')];
    if (this.feed_type === 'for-you' && (given.page_size ?? given.page_number) !== undefined) {
      warnings.push('page_size and page_number were ignored: a for-you feed has no plain pages');
    }
    if (given.cursor !== undefined && given.page_number !== undefined) {
      faults.push({ path: '/cursor', message: 'cannot be combined with page_number; send one of them' });
    }
    if (given.request_id !== undefined && user_id === undefined && given.wallet_address === undefined) {
      warnings.push('request_id was ignored: requests without a viewer are not remembered');
    }
    const impression_count = given.mark_seen === false ? 0 : (given.impression_count ?? 0);
    const request = { ...given, user_id, impression_count };
    return { request, warnings, faults };
  }

  private viewer(
    { given, faults }: CheckedParameters<RequestParameters>,
    known: KnownFeeds,
  ): string | undefined {
    const user_id = given.user_id === undefined ? undefined : identifier(given.user_id);
    if (user_id instanceof Refusal) {
      faults.push(...user_id.faults.map(({ path, message }) => ({ path: `/user_id${path}`, message })));
      return undefined;
    }
    const has_viewer_fault = faults.some(({ path }) => path === '/user_id' || path === '/wallet_address');
    const anonymous = user_id === undefined && given.wallet_address === undefined;
    if (this.feed_type === 'for-you' && anonymous && !has_viewer_fault && !isInOrder(given, known))
      faults.push({ path: '/user_id', message: 'is required for a for-you feed (or wallet_address)' });
    return user_id;
  }
}

/** Whether the scoring function of a request, or of its saved feed, needs no viewer. */
function isInOrder({ scoring, feed_id }: RequestParameters, { registry, scoringOf }: KnownFeeds): boolean {
  const used = scoring ?? scoringOf(feed_id);
  const name = typeof used === 'object' ? used.name : used;
  return isInRankingOrder(registry, name ?? '');
}

function sound({ request, warnings, faults }: CheckedFeedRequest): ParsedFeedRequest {
  if (faults.length > 0) throw invalidValue(faults);
  return { request, warnings };
}
