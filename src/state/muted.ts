import type { Key } from '../model/key.ts';
import type { Entry } from '../model/records/preferences.ts';
import { hasAnyOf } from './item-values.ts';
import type { State } from './state.ts';
import { WordsIncomplete } from './word-matcher.ts';

/** The values of the entries that have an effect at a time, in seconds. */
function valuesAt<V extends string | Key>(entries: readonly Entry<V>[], now: number): V[] {
  return entries.flatMap((entry) => {
    if (typeof entry !== 'object') return entry;
    return now < entry.until ? entry.value : [];
  });
}

/** Whether a viewer mutes another user at a time. O(their muted authors). */
export function mutesUser({ preferences, users }: State, viewer: number, user: number, now: number): boolean {
  const authors = preferences.of(viewer)?.muted.authors ?? [];
  return authors.length > 0 && user !== viewer && valuesAt(authors, now).includes(users.names.key(user));
}

/** What decides about mutes beside the preferences. */
interface At {
  now: number;
  /** A muted label counts with a score above it. */
  ai_label_threshold: number;
}

/**
 * Makes a test for the items that a viewer mutes at a time. Undefined if they mute nothing. Their own items are never muted.
 * @throws WordsIncomplete
 */
export function mutedItems(
  state: State,
  viewer: number,
  { now, ai_label_threshold }: At,
): ((item: number) => boolean) | undefined {
  const muted = state.preferences.of(viewer)?.muted;
  if (muted === undefined) return undefined;
  const values = {
    author: valuesAt(muted.authors, now),
    channel: valuesAt(muted.channels, now),
    label: valuesAt(muted.labels, now),
    word: valuesAt(muted.words, now),
  };
  const isMuted = hasAnyOf(state, values, ai_label_threshold);
  return isMuted && ((item) => state.items.author(item) !== viewer && isMuted(item));
}

/** As `mutedItems`, for answers that do not wait for words: while these are not complete, every item is muted. */
export function surelyMutedItems(...asked: Parameters<typeof mutedItems>): ReturnType<typeof mutedItems> {
  try {
    return mutedItems(...asked);
  } catch (error) {
    if (error instanceof WordsIncomplete) return () => true;
    throw error;
  }
}
