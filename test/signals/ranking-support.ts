import type { Ordinal } from '../../src/plugin/index.ts';
import { tieBreak } from '../../src/signals/order.ts';
import type { RankedBy } from '../../src/signals/ranking-building.ts';
import { itemIds, NOW, Scene } from '../support/scene.ts';

export const ITEMS = 1300;
/** Scores that do not change with time. */
export const NEVER = Number.POSITIVE_INFINITY;

/** A ranking by a score that is the same at any time, or that reads the time itself. */
export function by(name: string, score: (item: Ordinal) => number, drift_seconds: number): RankedBy {
  return { name, scoreAt: () => score, drift_seconds };
}

/** Items with few different scores and times, more than a new ranking holds. */
export function corpus(): Scene {
  const scene = new Scene();
  for (let index = 0; index < ITEMS; index++) {
    scene.item(`i${index}`, { created_at: NOW - (index % 50) }).count(`i${index}`, index % 97);
  }
  return scene;
}

export function ranked(scene: Scene, score: (item: Ordinal) => number): string[] {
  const { state } = scene;
  const items = Array.from({ length: state.items.size }, (_, item) => item).filter((item) =>
    state.items.visible(item),
  );
  items.sort((one, other) => score(other) - score(one) || tieBreak(state, one, other));
  return itemIds(state, items);
}
