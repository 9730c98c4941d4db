import { describe, expect } from 'bun:test';
import type { Change } from '../../src/model/change.ts';
import type { Connection } from '../../src/store/connection.ts';
import { purgeSteps } from '../../src/store/purge.ts';
import { SharedLog } from '../../src/store/shared-log.ts';
import { TimedReads } from '../../src/store/timed-reads.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { interaction, named } from './changes.ts';
import { append, testConnection as it, rowsOf } from './purge-support.ts';

const [USER, ITEM] = [1, 10];

/** A deletion of all acts of one type, as the last of three changes. */
function history(): Change[] {
  const act = interaction(USER, ITEM);
  const deletion: Change = {
    kind: 'act_deletion',
    user: USER,
    item: ITEM,
    event_type: act.event_type,
    seq: 0,
    applied_at: act.applied_at,
  };
  return [named('user', USER, 'wallet'), act, deletion];
}

/** Runs a purge and notes each sweep as true if it succeeded. A sweep that fails ends the purge. */
async function purgeWith(connection: Connection, succeeds: boolean): Promise<boolean[]> {
  const sweeps: boolean[] = [];
  const sweeper = () => async () => {
    sweeps.push(succeeds);
    return succeeds;
  };
  try {
    for await (const step of purgeSteps({ ...connection, sweeper }))
      if (step === 'sweep' && !(await sweeper()())) break;
  } catch (error) {
    if (succeeds) throw error;
  }
  return sweeps;
}

describe('a purge of deleted acts', () => {
  it('frees their bytes, also after a purge that removed the rows and could not free the bytes', async (fresh) => {
    const connection = await fresh();
    await append(connection, history(), 0);
    expect(await purgeWith(connection, false)).toContain(false);
    expect((await rowsOf(connection)).map(({ kind }) => kind)).toEqual(['name']);
    expect(await purgeWith(connection, true)).toEqual([true]);
    expect(await purgeWith(connection, true)).toEqual([]);
  });

  it('removes exactly the acts that came before a deletion that means them', async (fresh) => {
    const connection = await fresh();
    const act = (timestamp: number, item = ITEM): Change => ({ ...interaction(USER, item), timestamp });
    const deletion = (timestamp?: number, item = ITEM): Change => {
      const { event_type, applied_at } = interaction(USER, ITEM);
      return { kind: 'act_deletion', user: USER, item, event_type, timestamp, seq: 0, applied_at };
    };
    const changes = [
      ...[1, 2, 3, 4].map((time) => act(time)),
      ...[act(1, ITEM + 1), deletion(2), deletion(3), act(2), deletion(9), deletion(3), act(3)],
      ...[act(5, ITEM + 2), deletion(undefined, ITEM + 2), deletion(5, ITEM + 2), act(5, ITEM + 2)],
    ];
    await append(connection, changes, 0);
    const kept = [act(1), act(4), act(1, ITEM + 1), act(2), act(3), act(5, ITEM + 2)];
    await purgeWith(connection, true);
    const left = (await rowsOf(connection)).map((row) => ({ ...row, seq: 0 }));
    expect(left).toEqual(kept.map((row) => ({ ...row, seq: 0 })));
  });

  it('tells nodes that have not read a deletion to load again before its row is gone', async (fresh) => {
    const connection = await fresh();
    await append(connection, history(), 0);
    const timed_reads = new TimedReads(connection, new ManualTimers());
    const log = new SharedLog({ db: connection.db }, timed_reads, () => Promise.reject(new Error('unread')));
    const seen: [number, boolean][] = [];
    for await (const _ of purgeSteps(connection, 1)) {
      const is_left = (await rowsOf(connection)).some(({ kind }) => kind === 'act_deletion');
      seen.push([(await log.head()).purged_seq, is_left]);
    }
    expect(seen.filter(([purged_seq, is_left]) => !is_left && purged_seq < 3)).toEqual([]);
    expect(seen.at(-1)).toEqual([3, false]);
  });
});
