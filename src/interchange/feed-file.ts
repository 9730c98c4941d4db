import type { Fault } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { opaque } from '../model/values/checks.ts';
import {
  type FieldNames,
  fieldNames,
  type Parsed,
  readRecord,
  refused,
  shapeOf,
  unknownField,
} from '../model/values/record.ts';
import { expected, isPlainObject, type Refusal } from '../model/values/refusal.ts';
import { seconds } from '../model/values/time.ts';
import { isRestorableId, RESTORED_NUMBER_MAX, RESTORED_REVISION_MAX } from '../store/feeds.ts';
import type { StoredFeed } from '../store/stored-feed.ts';

/** Fields of a line of `feeds.jsonl` in addition to the feed's own fields. */
interface FeedRow extends Pick<StoredFeed, 'account' | 'revision' | 'created_at' | 'updated_at'> {
  config_id: string;
}

/** Checks the feed's own fields and sets defaults, without plugins and other feeds. */
export type CheckFields = (given: object) => { object: object; unknown: string[]; faults: Fault[] };

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
  const row = readRecord({ config_id, account, revision, created_at, updated_at }, FEED_ROW_SHAPE);
  const { object, unknown, faults } = checkFields(fields);
  if (!row.ok) return { ok: false, faults: [...row.faults, ...faults] };
  if (faults.length > 0) return { ok: false, faults };
  const { config_id: feed_id, ...given } = row.record;
  const absent = { account: ACCOUNT, revision: 1, created_at: now, updated_at: now };
  const record = { feed_id, ...absent, ...given, content: JSON.stringify(object) };
  return { ok: true, record, warnings: unknown.map(unknownField) };
}

const FEED_ROW_SHAPE = shapeOf<FeedRow>(
  {
    config_id: feedId,
    account: opaque(LIMITS.id_length_max),
    revision,
    created_at: seconds,
    updated_at: seconds,
  },
  ['config_id'],
);

/** Names of the fields in addition to the feed's own fields. */
export const FEED_ROW_FIELDS: FieldNames = fieldNames(FEED_ROW_SHAPE);

function feedId(value: unknown): string | Refusal {
  const is_id = typeof value === 'string' && isRestorableId(value);
  return is_id ? value : expected(`an id from feed_1 to feed_${RESTORED_NUMBER_MAX}`, value);
}

function revision(value: unknown): number | Refusal {
  const fits =
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= RESTORED_REVISION_MAX;
  return fits ? value : expected(`an integer from 1 to ${RESTORED_REVISION_MAX}`, value);
}
