import { Type } from '@sinclair/typebox';
import type { Fault } from '../errors.ts';
import { fieldNames, type Parsed, readRecord, refused, unknownField } from '../model/values/record.ts';
import { omittable, recordType, required } from '../model/values/record-type.ts';
import { expected, isPlainObject } from '../model/values/refusal.ts';
import * as type from '../model/values/values.ts';
import { isRestorableId, RESTORED_NUMBER_MAX, RESTORED_REVISION_MAX } from '../store/feeds.ts';
import type { StoredFeed } from '../store/stored-feed.ts';

/** Checks the feed's own fields and sets defaults, without plugins and other feeds. */
export type CheckFields = (given: object) => { object: object; unknown: string[]; faults: Fault[] };

const FeedId: type.ValueType<string> = {
  schema: Type.String({ pattern: '^feed_[1-9][0-9]*$' }),
  check: (value) =>
    typeof value === 'string' && isRestorableId(value)
      ? value
      : expected(`an id from feed_1 to feed_${RESTORED_NUMBER_MAX}`, value),
};

/** Fields of a line of `feeds.jsonl` in addition to the feed's own fields. */
const FEED_ROW = recordType('', '', {
  config_id: required(FeedId),
  account: omittable(type.text()),
  revision: omittable(type.integer(1, RESTORED_REVISION_MAX)),
  created_at: omittable(type.Time),
  updated_at: omittable(type.Time),
});

/** Names of the fields in addition to the feed's own fields. */
export const FEED_ROW_FIELDS = fieldNames(FEED_ROW.shape);

/** The account of lines without one. */
const ACCOUNT = 'default';

/** A feed as its owner reads it over HTTP, with its account. */
export function feedLine(feed: StoredFeed): object {
  const { feed_id, account, revision, created_at, updated_at, content } = feed;
  return {
    config_id: feed_id,
    account,
    ...(JSON.parse(content) as object),
    revision,
    created_at: Math.floor(created_at),
    updated_at: Math.floor(updated_at),
  };
}

/**
 * Parses a line of `feeds.jsonl`, of which only the id and the name are required.
 *
 * The start of the service resolves plugins, with those that are loaded then.
 * @param now the time of a feed without one, seconds
 */
export function parseFeedLine(value: unknown, checkFields: CheckFields, now: number): Parsed<StoredFeed> {
  if (!isPlainObject(value)) return refused('', 'expected a JSON object');
  const { config_id, account, revision, created_at, updated_at, ...fields } = value;
  const row = readRecord({ config_id, account, revision, created_at, updated_at }, FEED_ROW.shape);
  const { object, unknown, faults } = checkFields(fields);
  if (!row.ok) return { ok: false, faults: [...row.faults, ...faults] };
  if (faults.length > 0) return { ok: false, faults };
  const { config_id: feed_id, ...given } = row.record;
  const absent = { account: ACCOUNT, revision: 1, created_at: now, updated_at: now };
  const record = { feed_id, ...absent, ...given, content: JSON.stringify(object) };
  return { ok: true, record, warnings: unknown.map(unknownField) };
}
