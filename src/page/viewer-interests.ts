import type { Ordinal } from '../plugin/index.ts';
import { type Interests, interestsOf } from '../signals/interests.ts';
import { TOUCHED } from '../state/touched.ts';
import type { Engine } from './engine.ts';

export interface ViewerInterests extends Interests {
  /** The number of items that were recorded as shown, or more for a very large number. */
  shown_items: number;
}

/** The strongest interests of a viewer. @param most the maximum number of entries per list */
export function viewerInterests(
  { state, scratch }: Pick<Engine, 'state' | 'scratch'>,
  viewer: Ordinal,
  most: number,
): ViewerInterests {
  const shown_items = state.interactions.touched.of(viewer).countWith(TOUCHED.impression);
  try {
    return { ...interestsOf(state, viewer, most, scratch), shown_items };
  } finally {
    scratch.takeBack();
  }
}
