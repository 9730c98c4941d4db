import type { Change } from '../model/change.ts';
import { applyChange } from '../state/apply.ts';
import { garbageCollector } from '../state/garbage.ts';
import { readAhead } from '../state/read-ahead.ts';
import type { State } from '../state/state.ts';
import { badRowOf, refuseBadRow } from '../store/bad-rows.ts';
import type { Replayed } from '../store/replay.ts';
import type { Store } from '../store/store.ts';
import { SETTLED_AT_ONCE, settle } from './settle.ts';

/**
 * Applies stored changes to a state that is not in use yet.
 * @param after `seq` of the last change that the state contains
 * @throws StartupError as `Store.replay`; `data_row_invalid` if a change cannot be applied; errors of `slice`. The
 * state is then unusable.
 */
export async function fold(
  store: Pick<Store, 'replay'>,
  state: State,
  after: number,
  slice: () => Promise<void>,
): Promise<Replayed> {
  const collect = garbageCollector(state);
  const replayed = await store.replay((change) => applyStored(state, change), {
    after,
    slice: () => {
      collect();
      // While suspensions are pending, the trend must align whole items, which is slower.
      state.settle(SETTLED_AT_ONCE);
      return slice();
    },
    ahead: (coming) => readAhead(state, coming),
  });
  await settle(state, slice);
  state.users.names.skipTo(replayed.keys_from.user);
  state.items.names.skipTo(replayed.keys_from.item);
  return replayed;
}

function applyStored(state: State, change: Change): void {
  try {
    applyChange(state, change);
  } catch (error) {
    refuseBadRow(badRowOf(change, error));
  }
}
