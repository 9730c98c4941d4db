import { setImmediate as nextTurn } from 'node:timers/promises';
import { settle } from '../checkpoint/settle.ts';
import { VOCABULARIES } from '../checkpoint/write-next.ts';
import type { Change } from '../model/change.ts';
import { EVENT } from '../model/changes/event.ts';
import { NAME } from '../model/changes/name.ts';
import type { Key, Space } from '../model/key.ts';
import type { Read } from '../plugin/index.ts';
import { applyChange } from '../state/apply.ts';
import { Fields } from '../state/fields.ts';
import { State } from '../state/state.ts';
import { replayLeniently } from '../store/bad-rows.ts';
import type { CheckpointEntry, CheckpointStore } from '../store/checkpoint-store.ts';
import type { CommunityName, Location } from '../store/connection.ts';
import { foldOptions } from '../store/fold-options.ts';
import type { InspectedCommunity } from '../store/inspection.ts';
import type { Store } from '../store/store.ts';
import { Check } from './check.ts';
import { type Loaded, NOTHING_LOST, openCheckpoint, verifyLists } from './checkpoint.ts';
import { compareStates } from './compare-states.ts';
import { type Finding, warn } from './finding.ts';
import { References } from './references.ts';
import { Rows } from './rows.ts';
import { SeenRowsCheck, SHOWN_AGAIN } from './seen.ts';
import { checkTotals } from './totals.ts';

/** How often the examination starts again when the service removed rows or replaced its checkpoint meanwhile. */
const TRIES = 3;

export interface CommunityData {
  store: Pick<
    Store,
    'replay' | 'seen' | 'checkpoints' | 'hasRetired' | 'latestTrend' | 'hashKey' | 'seenKey'
  >;
  place: Location;
  reads: Read[];
  inspected: InspectedCommunity;
}

/** What was found, and the state that the stored changes give. */
export interface Verified {
  findings: Finding[];
  state: State;
}

/** What a purge and a new checkpoint change. */
interface Version {
  entry: CheckpointEntry | undefined;
  keys_from: Record<Space, Key>;
}

/** Examines one snapshot of the changes, the checkpoint, and the neighbour lists. Changes nothing. */
export async function verifyCommunity(data: CommunityData): Promise<Verified> {
  for (let left = TRIES; ; left--) {
    const version = await versionOf(data.store);
    const verified = await verifyOnce(data, version);
    if (JSON.stringify(await versionOf(data.store)) === JSON.stringify(version)) return verified;
    if (left > 1) continue;
    const message = `${data.inspected.community}: the service removed data or wrote a checkpoint during each of ${TRIES} examinations`;
    return {
      ...verified,
      findings: [warn('rows', message, 'verify a backup instead, or verify again later')],
    };
  }
}

/** A replay of no rows tells which keys were assigned. */
async function versionOf(store: CommunityData['store']): Promise<Version> {
  const { keys_from } = await store.replay(() => {}, { after: Number.MAX_SAFE_INTEGER });
  return { entry: await store.checkpoints?.entry(), keys_from };
}

async function verifyOnce(data: CommunityData, { entry, keys_from }: Version): Promise<Verified> {
  const { place, inspected } = data;
  const { community } = inspected;
  const here = { ...place, community };
  const state = await emptyState(data);
  const opened = await openCheckpoint(here, community, inspected.database_id, entry, await emptyState(data));
  const loaded = 'state' in opened ? opened : undefined;
  const findings = await verifyChanges(data, keys_from, state, loaded);
  findings.push(...(await verifySeen(data, keys_from.item, state)));
  if (loaded !== undefined) findings.push(...verifyLoaded(community, state, loaded));
  else if ('level' in opened) findings.push(opened);
  const wasNamed = (key: Key) => key >= 0 && key < Math.max(keys_from.item, state.items.names.next_key);
  findings.push(...(await verifyLists(here, community, inspected.database_id, entry, wasNamed)));
  return { findings, state };
}

async function emptyState({ store, inspected, reads }: CommunityData): Promise<State> {
  return new State({
    fields: new Fields(reads),
    vocabulary: VOCABULARIES[inspected.community],
    ...(await foldOptions(store)),
  });
}

/** Applies all changes to the empty state, and those after the checkpoint to the checkpoint's state. */
async function verifyChanges(
  { store, inspected }: CommunityData,
  keys_from: Record<Space, Key>,
  state: State,
  loaded: Loaded | undefined,
): Promise<Finding[]> {
  const { community, last_seq, highest_seq } = inspected;
  const rows_check = new Check('rows', community);
  if (last_seq > highest_seq)
    rows_check.fault(
      'highest',
      `rows up to seq ${last_seq} are stored, but the data counts only to ${highest_seq}`,
    );
  const references_check = new Check('references', community);
  const is_purging = (await isUnpurged(store.checkpoints)) || (await store.hasRetired());
  const references = new References(references_check, { keys_from, is_purging });
  const rows = new Rows(rows_check);
  await replayLeniently(store, rows.bad, (change: Change) => {
    rows.note(change);
    references.note(change, state);
    // Named events are not part of the state.
    if (change.kind === EVENT.kind) return;
    applyChange(state, change);
    if (loaded !== undefined && change.seq > loaded.seq) applyChange(loaded.state, change);
  });
  references.finish();
  await settle(state, nextTurn);
  if (loaded !== undefined) await settle(loaded.state, nextTurn);
  const totals = new Check('totals', community);
  checkTotals(state, totals);
  const [users, items] = [state.users.names.count, state.items.names.count].map(count);
  return [
    ...rows_check.findings(`${count(rows.changes)} stored changes can be read`),
    ...references_check.findings(`all changes refer to named users (${users}) and items (${items})`),
    ...totals.findings(
      `counters agree with ${count(state.interactions.by_user.size)} acts and ${count(state.follows.size)} follows`,
    ),
  ];
}

async function verifySeen(
  { store, inspected: { community, seen_format } }: CommunityData,
  purged_key: Key,
  { items, seq }: State,
): Promise<Finding[]> {
  const check = new Check('seen', community, SHOWN_AGAIN);
  const rows = new SeenRowsCheck(check);
  await rows.read(store.seen, seen_format);
  // Rows may refer to changes that were stored since.
  let next_key = Math.max(purged_key, items.names.next_key);
  const noteName = (change: Change) => {
    if (change.kind === NAME.kind && change.space === 'item') next_key = Math.max(next_key, change.key + 1);
  };
  const { highest_seq } = await store.replay(noteName, { after: seq });
  rows.finish(next_key, highest_seq);
  const [viewers, parts, seen] = [rows.viewers, rows.parts, rows.items].map(count);
  return check.findings(`rows of ${viewers} viewers with ${parts} parts and ${seen} items can be read`);
}

async function isUnpurged(checkpoint_store: CheckpointStore | undefined): Promise<boolean> {
  return checkpoint_store !== undefined && (await checkpoint_store.unpurged()) > 0;
}

function verifyLoaded(community: CommunityName, folded: State, loaded: Loaded): Finding[] {
  const check = new Check('checkpoint', community, NOTHING_LOST);
  checkTotals(loaded.state, check);
  compareStates(folded, loaded.state, check);
  return check.findings(`that up to change ${loaded.seq} gives what all stored changes give`);
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
