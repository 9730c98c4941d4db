/**
 * Records of a source that sends all of its changes in their order, such as the log of a database: the later arrival
 * counts, whatever its time, and `null` removes a stored value.
 */
import { NONE } from '../model/key.ts';
import {
  type BlockRecord,
  type EventRemoval,
  type FollowRecord,
  type InteractionRecord,
  type ItemRecord,
  parseBlock,
  parseFollow,
  parseInteraction,
  parseItem,
  parseUser,
} from '../model/records/index.ts';
import { IS_REQUIRED, type Parsed, refused } from '../model/values/record.ts';
import { isPlainObject } from '../model/values/refusal.ts';
import type { ConnectorRecordKind } from '../plugin/index.ts';
import { actOf, pairOfAct } from './acts.ts';
import { isAdding } from './event-acts.ts';
import { addInteraction, addRelation, knownRelation, relationFloor } from './prepare-acts.ts';
import { addItem } from './prepare-versions.ts';
import type { Fact } from './queued-changes.ts';
import { CONNECTOR_KINDS, ofNetwork, type PreparedRecord, type RecordKind } from './record-kinds.ts';
import { datedAhead, warningsAbout } from './record-warnings.ts';
import { relationOf } from './relations.ts';
import type { WriteBatch } from './write-batch.ts';

type Act = FollowRecord | BlockRecord | InteractionRecord;

const NULL_CLEARS = { null_clears: true } as const;

/** What of an item is derived from its other fields unless it is given. */
const DERIVED = ['language', 'embed_domains'];

const item: RecordKind<ItemRecord> = {
  ...(CONNECTOR_KINDS.item as RecordKind<ItemRecord>),
  parse: (value) => latest(ofNetwork(parseItem(withoutNull(value, DERIVED), NULL_CLEARS))),
  prepare(record, batch) {
    const is_known = batch.latest.item(record.item_id) !== undefined;
    const needs_no_author = is_known ? record : { ...record, author_id: record.author_id ?? null };
    return {
      faults: addItem(needs_no_author, batch),
      warnings: datedAhead({ ...record.content, ...record.counters }, batch.applied_at),
    };
  },
};

/** The kinds of records whose `in_order` is true. */
export const IN_ORDER_KINDS: Readonly<Record<ConnectorRecordKind, RecordKind>> = {
  ...CONNECTOR_KINDS,
  item: item as RecordKind,
  user: {
    ...CONNECTOR_KINDS.user,
    parse: (value) => latest(ofNetwork(parseUser(withoutNull(value, []), NULL_CLEARS))),
  },
  follow: kindOfAct((value) => named(parseFollow(value))),
  block: kindOfAct((value) => named(parseBlock(value))),
  interaction: kindOfAct((value) => parseInteraction(value)),
};

/** A version that counts also after a deletion. Times that everything has cannot be removed. */
function latest<R extends { content: { created_at?: number }; revive?: boolean }>(
  parsed: Parsed<R>,
): Parsed<R> {
  if (!parsed.ok) return parsed;
  const { content } = parsed.record;
  if (content.created_at === undefined) delete content.created_at;
  parsed.record.revive = true;
  return parsed;
}

/** Without those that are null. What a moderator hid stays hidden: `hidden` is what the source says, never removed. */
function withoutNull(value: unknown, names: readonly string[]): unknown {
  if (!isPlainObject(value)) return value;
  const given = Object.entries(value).filter(([name, each]) => each !== null || !names.includes(name));
  return { ...Object.fromEntries(given), ...(value.hidden === null && { hidden: false }) };
}

function named<R extends object>(parsed: Parsed<R | EventRemoval>): Parsed<R> {
  if (!parsed.ok) return parsed;
  const { record, warnings } = parsed;
  return 'space' in record ? refused('/target_user_id', IS_REQUIRED) : { ok: true, record, warnings };
}

function kindOfAct(parse: (value: unknown) => Parsed<Act>): RecordKind {
  const kind: RecordKind<Act> = { parse, addReads() {}, prepare: prepareAct };
  return kind as RecordKind;
}

/** An act is removed as of its own time, so that it can come back with any time that is not earlier. */
function prepareAct(record: Act, batch: WriteBatch): PreparedRecord {
  const { applied_at, context } = batch;
  const outdated = context.deletions.outdatedAct(record, applied_at);
  if (outdated !== undefined) return { warnings: [outdated] };
  const known = knownAct(record, batch);
  if (!isAdding(record) && known?.stands !== true) return {};
  const given = isAdding(record) ? record.timestamp : known?.time;
  const timestamp =
    given === undefined ? undefined : Math.max(given, known?.time ?? 0, floorOf(record, batch));
  const arrived = { ...record, timestamp };
  const faults = 'item_id' in arrived ? addInteraction(arrived, batch) : addRelation(arrived, batch);
  return { faults: faults ?? [], warnings: warningsAbout(arrived, context, applied_at) };
}

/** What is known of an act. Queued changes count as applied. */
function knownAct(record: Act, { applied_at, context }: WriteBatch): Fact | undefined {
  const { state, user_keys, item_keys, queued_changes } = context;
  const user = user_keys.find(record.user_id);
  if (user === NONE) return undefined;
  if (!('item_id' in record)) {
    const target = user_keys.find(record.target_user_id);
    return target === NONE ? undefined : knownRelation(relationOf(record), user, target, context);
  }
  const item = item_keys.find(record.item_id);
  const parsed = actOf(state.vocabulary, record, applied_at);
  const queued = queued_changes.fact(pairOfAct(user, item, parsed));
  if (queued !== undefined) return queued;
  const act = {
    ...parsed.act,
    user: state.users.names.ordinal(user),
    item: state.items.names.ordinal(item),
  };
  if (act.user === NONE || act.item === NONE) return undefined;
  const known = state.interactions.known(act);
  return known !== undefined && known.time >= queued_changes.actsDeletedBefore(item) ? known : undefined;
}

/** Acts older than this change nothing. */
function floorOf(record: Act, { context }: WriteBatch): number {
  if ('item_id' in record) return 0;
  return relationFloor(relationOf(record), context.user_keys.find(record.user_id), context);
}
