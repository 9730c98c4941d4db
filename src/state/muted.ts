import { type Key, NONE } from '../model/key.ts';
import type { Entry } from '../model/records/preferences.ts';
import type { Group } from './groups.ts';
import type { State } from './state.ts';

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

/** Makes a test for items that a viewer mutes at a time, which their own items never are. Undefined: they mute nothing. */
export function mutedItems(
  { preferences, users, items, groups }: State,
  viewer: number,
  { now, ai_label_threshold }: At,
): ((item: number) => boolean) | undefined {
  const muted = preferences.of(viewer)?.muted;
  if (muted === undefined) return undefined;
  const authors = known(valuesAt(muted.authors, now).map((key) => users.names.ordinal(key)));
  const channels = codesOf(groups.channel, valuesAt(muted.channels, now));
  const labels = codesOf(groups.label, valuesAt(muted.labels, now));
  if (authors.size + channels.size + labels.size === 0) return undefined;
  const isMutedLabel = (code: number, score: number) => score > ai_label_threshold && labels.has(code);
  return (item) => {
    const author = items.author(item);
    if (author === viewer) return false;
    if (authors.has(author) || channels.has(groups.channel.of(item))) return true;
    return labels.size > 0 && groups.label.any(item, isMutedLabel);
  };
}

function known(ordinals: readonly number[]): Set<number> {
  return new Set(ordinals.filter((ordinal) => ordinal !== NONE));
}

function codesOf(group: Group, values: readonly string[]): Set<number> {
  return known(values.map((value) => group.code(value)));
}
