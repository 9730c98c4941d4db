import {
  isRestorableId,
  RESTORED_NUMBER_MAX,
  RESTORED_REVISION_MAX,
  type StoredFeed,
} from '../../store/feeds.ts';
import { identifier } from '../records/checks.ts';
import { type Parsed, readRecord, shapeOf } from '../records/record.ts';
import { expected, isPlainObject, type Refusal, refuse } from '../records/refusal.ts';
import { seconds } from '../records/time.ts';

/** A line of `feeds.jsonl`; what clients send and see is all in `content`. */
interface FeedLine {
  config_id: string;
  account: string;
  revision: number;
  /** seconds */
  created_at: number;
  /** seconds */
  updated_at: number;
  content: object;
}

export function feedLine({
  feed_id,
  account,
  revision,
  created_at,
  updated_at,
  content,
}: StoredFeed): FeedLine {
  const object = JSON.parse(content) as object;
  return { config_id: feed_id, account, revision, created_at, updated_at, content: object };
}

/**
 * Reads a line of `feeds.jsonl`. Of the content only as much is checked as the service relies on before it
 * knows what it means: that is worked out at its start, under the plugins that are loaded then.
 */
export function parseFeedLine(value: unknown): Parsed<StoredFeed> {
  const read = readRecord(value, FEED_LINE_SHAPE);
  if (!read.ok) return read;
  const { config_id: feed_id, content, ...rest } = read.record;
  return { ...read, record: { feed_id, ...rest, content: JSON.stringify(content) } };
}

const FEED_LINE_SHAPE = shapeOf<FeedLine>(
  {
    config_id: feedId,
    account: identifier,
    revision,
    created_at: seconds,
    updated_at: seconds,
    content: feedContent,
  },
  ['config_id', 'account', 'revision', 'created_at', 'updated_at', 'content'],
);

function feedId(value: unknown): string | Refusal {
  const is_id = typeof value === 'string' && isRestorableId(value);
  return is_id ? value : expected(`an id from feed_1 to feed_${RESTORED_NUMBER_MAX}`, value);
}

function revision(value: unknown): number | Refusal {
  const fits =
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= RESTORED_REVISION_MAX;
  return fits ? value : expected(`an integer from 1 to ${RESTORED_REVISION_MAX}`, value);
}

const TEXTS = ['name', 'endpoint', 'status'];
/** Whatever is not private may be read by everybody, so a slip of the pen must not pass. */
const VISIBILITIES: readonly unknown[] = ['private', 'public', 'template'];

function feedContent(value: unknown): object | Refusal {
  if (!isPlainObject(value)) return expected('a JSON object', value);
  for (const name of TEXTS) {
    if (typeof value[name] !== 'string') return refuse('expected a text', `/${name}`);
  }
  if (!VISIBILITIES.includes(value.visibility)) {
    return refuse(`expected one of ${VISIBILITIES.join(', ')}`, '/visibility');
  }
  return isPlainObject(value.config) ? value : refuse('expected a JSON object', '/config');
}
