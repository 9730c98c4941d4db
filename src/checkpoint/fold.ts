import { garbageCollector } from '../state/garbage.ts';
import { readAhead } from '../state/read-ahead.ts';
import type { State } from '../state/state.ts';
import type { Replayed } from '../store/replay.ts';
import type { Store } from '../store/store.ts';
import { FollowsApart } from './follows-apart.ts';

export interface FoldOptions {
  /** `seq` of the last change that the state has. */
  after: number;
  /** Awaited now and then. */
  slice(): Promise<void>;
  /** As of `FollowsApart`. */
  apart_from?: number;
}

/**
 * Applies what is stored to a state that nobody else has yet.
 * @throws StartupError as `Store.replay`; Error when a thread has died; what `slice` throws. The state is of no use then
 */
export async function fold(
  store: Pick<Store, 'replay'>,
  state: State,
  { after, slice, apart_from }: FoldOptions,
): Promise<Replayed> {
  const collect = garbageCollector(state);
  const follows = new FollowsApart(state, apart_from);
  try {
    const replayed = await store.replay((change) => state.apply(change), {
      after,
      slice: async () => {
        collect();
        await follows.settle();
        await slice();
      },
      ahead: (coming) => {
        // The thread that records them reads ahead by itself.
        if (!follows.begun || coming[0].kind !== 'follow') readAhead(state, coming);
      },
    });
    await follows.bringHome(slice);
    state.users.names.skipTo(replayed.keys_from.user);
    state.items.names.skipTo(replayed.keys_from.item);
    return replayed;
  } finally {
    follows.end();
  }
}
