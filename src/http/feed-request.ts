import type { TObject } from '@sinclair/typebox';
import { type CheckedParameters, ParameterChecker, refusal, warningsFor } from '../feed/check-parameters.ts';
import { asObject } from '../feed/feed-object.ts';
import type { RequestParameters } from '../feed/parameters.ts';
import type { FeedRequest } from '../feed/resolve-feed.ts';
import { numberableIdentifier } from '../ingest/records/checks.ts';
import { Refusal } from '../ingest/records/refusal.ts';
import type { FeedType } from '../plugin/index.ts';

export interface ParsedFeedRequest {
  request: FeedRequest;
  warnings: string[];
}

/** Checks feed requests of one type. */
export class FeedRequestParser {
  private readonly checker: ParameterChecker<RequestParameters>;
  readonly schema: TObject;

  constructor(private readonly feed_type: FeedType) {
    this.checker = ParameterChecker.ofRequests(feed_type);
    this.schema = this.checker.schema;
  }

  /**
   * @param body the JSON value of the body, `undefined` for none
   * @throws ServiceError `invalid_value`, `not_supported`
   */
  parse(body: unknown): ParsedFeedRequest {
    const checked = this.checker.check(asObject(body ?? {}), '');
    const user_id = this.viewer(checked);
    if (checked.faults.length > 0) throw refusal(checked.faults);
    const { given, unknown } = checked;
    const warnings = warningsFor(unknown, '', 'ignored');
    if (this.feed_type === 'for-you' && (given.page_size ?? given.page_number) !== undefined) {
      warnings.push('page_size and page_number were ignored: a for-you feed has no plain pages');
    }
    return { request: { ...given, user_id, impression_count: given.impression_count ?? 0 }, warnings };
  }

  /** The viewer as a string; what is wrong with it goes into the faults. */
  private viewer({ given, faults }: CheckedParameters<RequestParameters>): string | undefined {
    const user_id = given.user_id === undefined ? undefined : numberableIdentifier(given.user_id);
    if (user_id instanceof Refusal) {
      faults.push(...user_id.faults.map(({ path, message }) => ({ path: `/user_id${path}`, message })));
      return undefined;
    }
    const told = faults.some(({ path }) => path === '/user_id' || path === '/wallet_address');
    const anonymous = user_id === undefined && given.wallet_address === undefined;
    if (this.feed_type === 'for-you' && anonymous && !told) {
      faults.push({ path: '/user_id', message: 'is required for a for-you feed (or wallet_address)' });
    }
    return user_id;
  }
}
