import type { Clock } from '../clock.ts';
import { MODEL, type ModelChange } from '../model/changes/model.ts';
import type { FeedModel } from '../state/learning/models.ts';
import type { State } from '../state/state.ts';
import { feedNumber } from '../store/feeds.ts';
import type { FormerModel } from '../store/models.ts';
import { silent } from '../store/refusals.ts';
import type { Store } from '../store/store.ts';

/** A saved feed. */
type Feed = Readonly<{ feed_id: string; feed_type: ModelChange['feed_type'] }>;

interface Source {
  state: State;
  store: Pick<Store, 'submit' | 'is_silent' | 'modelHistory'>;
  stamps: Clock;
}

/** What a saved feed has learnt, and its former weights, oldest first. */
export async function readModel(
  { state, store }: Source,
  feed: Feed,
): Promise<{ model: FeedModel | undefined; history: FormerModel[] }> {
  const { feed_type, feed: number } = nameOf(feed);
  const history = await store.modelHistory(nameOf(feed));
  return { model: state.learning.modelOf(feed_type, number), history };
}

/** Changes how a saved feed learns. Resolves when that is durable and applied. @throws ServiceError `store_unavailable` */
export async function changeModel(
  { store, stamps }: Source,
  feed: Feed,
  how: Pick<ModelChange, 'action' | 'actor'>,
): Promise<void> {
  if (store.is_silent) throw silent();
  const change = { kind: MODEL.kind, ...nameOf(feed), ...how, numbers: new Float64Array() };
  await store.submit([{ ...change, seq: 0, applied_at: stamps.now() }]);
}

/**
 * Saved feeds that fell back to their default scoring function.
 * @param typeOf the type of a feed, unless it was deleted
 */
export function fallenBack(
  { learning }: State,
  typeOf: (feed_id: string) => ModelChange['feed_type'] | undefined,
): string[] {
  return learning.models.fallen
    .filter(({ feed_type, feed }) => typeOf(`feed_${feed}`) === feed_type)
    .map(({ feed }) => `feed_${feed}`);
}

function nameOf({ feed_id, feed_type }: Feed): Pick<ModelChange, 'feed_type' | 'feed'> {
  return { feed_type, feed: feedNumber(feed_id) ?? 0 };
}
