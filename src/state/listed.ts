import { NONE } from '../model/key.ts';
import type { ItemContent } from '../model/records/item.ts';
import { primaryLanguage } from '../plugin/index.ts';
import type { State } from './state.ts';

/**
 * Maintains the lists of items: all items, each author's items, and the items of each group.
 *
 * Finding another place in a list of a million takes tenths of a millisecond. So a new version changes only the lists
 * whose value differs.
 */

/**
 * Whether a new version keeps its place in the lists: the author and the creation time are the same.
 *
 * False if a version in between was skipped: that version may still be listed under its author.
 */
export function staysListed(
  { items, skipped }: State,
  item: number,
  author: number,
  content: ItemContent,
): boolean {
  if (!items.described(item) || skipped.has(item)) return false;
  return items.author(item) === author && items.created_at(item) === content.created_at;
}

export function list(state: State, item: number): void {
  const author = state.items.author(item);
  if (author !== NONE) state.by_author.add(author, item);
  state.by_time.add(0, item);
}

export function unlist(state: State, item: number): void {
  if (!state.items.described(item)) return;
  const author = state.items.author(item);
  if (author !== NONE) {
    state.by_author.remove(author, item);
    state.user_revisions.note(author);
  }
  state.by_time.remove(0, item);
  for (const each of Object.values(state.groups)) each.unlist(item);
  state.item_places.set(item, undefined);
}

/** Lists an item without author again, as the last one of its creation time. */
export function relistAlike({ by_time, groups }: State, item: number): void {
  by_time.remove(0, item);
  by_time.add(0, item);
  for (const each of [groups.channel, groups.app, groups.language]) {
    const code = each.of(item);
    if (code === NONE) continue;
    const value = each.value(code);
    each.unlist(item);
    each.relist(item, value);
  }
  for (const each of [groups.publication_type, groups.domain, groups.label]) {
    const values = [...each.entries(item)];
    each.unlist(item);
    each.relist(item, values);
  }
}

/** Lists an item in exactly the groups that its content names. */
export function group({ groups, item_places }: State, item: number, content: ItemContent): void {
  const unscored = (value: string): [string, number] => [value, 1];
  const { one, many } = groupedValues(content);
  groups.channel.relist(item, one.channel);
  groups.app.relist(item, one.app);
  groups.language.relist(item, one.language);
  groups.publication_type.relist(item, many.publication_type.map(unscored));
  groups.domain.relist(item, many.domain.map(unscored));
  groups.label.relist(item, Object.entries(content.ai_labels ?? {}));
  item_places.set(item, content.geo_location);
}

/** The group values of an item: columns with one value, and columns with any number of distinct values. */
export function groupedValues(content: ItemContent): {
  one: Record<'channel' | 'app' | 'language', string | undefined>;
  many: Record<'publication_type' | 'domain' | 'label', string[]>;
} {
  const { channel, app_fid: app, language } = content;
  return {
    one: { channel, app, language: language && primaryLanguage(language) },
    many: {
      publication_type: [...new Set(content.publication_types)],
      domain: withParents(content.embed_domains ?? []),
      label: Object.keys(content.ai_labels ?? {}),
    },
  };
}

/** Domains with all their parent domains, each once. */
function withParents(domains: readonly string[]): string[] {
  const all = new Set<string>();
  for (const domain of domains) {
    const parts = domain.split('.');
    for (let from = 0; from < parts.length; from++) all.add(parts.slice(from).join('.'));
  }
  return [...all];
}
