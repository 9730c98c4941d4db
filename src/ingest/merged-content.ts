import type { Hiding } from '../model/hiding.ts';
import type { ItemRecord } from '../model/records/index.ts';
import type { ItemContent } from '../model/records/item.ts';
import { domainsOfUrls } from '../model/values/domain.ts';
import { readableText } from '../state/readable-text.ts';
import type { LanguageDetector } from './detect-language.ts';
import { readHtml } from './html-text.ts';

/** Whether a record changes the text of its item or the text's format. */
function changesText({ content }: ItemRecord): boolean {
  return content.text !== undefined || 'text_format' in content;
}

/** Whether the language of a record's text may have to be detected. */
export function needsLanguage(record: ItemRecord): boolean {
  return changesText(record) && !('language' in record.content);
}

/**
 * Merges a record into the content of its item: given fields replace stored ones.
 *
 * With the text it also removes values that were derived from it rather than sent: the language, and links in HTML.
 */
export function mergedContent(
  record: ItemRecord,
  base: ItemContent | undefined,
  languages: LanguageDetector,
): ItemContent {
  const given = inOrderOfNetwork(record.content, base, record.in_order);
  // Safe: created_at of a new item has been checked, and a base has one.
  const merged = withoutUndefined({ ...base, ...given } as ItemContent);
  if (!changesText(record)) return merged;
  if (isHtml(merged) || isHtml(base)) {
    const { text = undefined, links = [] } = isHtml(merged) ? readHtml(merged.text) : {};
    set(merged, 'plain_text', text);
    if (!('embed_items' in given) && !hasSentLinks(base)) {
      set(merged, 'embed_items', links.length > 0 ? links : undefined);
      if (!('embed_domains' in given) && !hasSentDomains(base)) {
        const domains = domainsOfUrls(links);
        set(merged, 'embed_domains', domains.length > 0 ? domains : undefined);
      }
    }
  }
  if (!('language' in given) && isGuessed(base, merged, languages)) {
    const text = readableText(merged);
    set(merged, 'language', text === undefined ? undefined : languages.detect(text));
  }
  return merged;
}

/**
 * A version without a message of the network that is older than the known one, so that a repeated or late delivery
 * does not undo what came after it. A message without a time counts when it arrives.
 * @param in_order whether its source sends versions in order, so that it counts whatever its time
 */
export function inOrderOfNetwork<C extends Hiding & { created_at?: number; updated_at?: number }>(
  given: Partial<C>,
  base: Hiding | undefined,
  in_order = false,
): Partial<C> {
  const { hidden_by_network, hidden_by_network_at, ...others } = given;
  if (hidden_by_network === undefined) return others as Partial<C>;
  const known = base?.hidden_by_network_at;
  const at = hidden_by_network_at ?? given.updated_at ?? given.created_at ?? known;
  if (in_order || known === undefined || at === undefined || at >= known)
    return { ...given, hidden_by_network_at: at };
  const { updated_at: _, ...rest } = others;
  return rest as Partial<C>;
}

export function sentContent({ plain_text: _, ...sent }: ItemContent): Omit<ItemContent, 'plain_text'> {
  return sent;
}

type Html = ItemContent & { text: string };

function isHtml(content: ItemContent | undefined): content is Html {
  return content?.text_format === 'html' && content.text !== undefined;
}

/** Whether the source sent the links of an item, rather than having them derived from its HTML. */
function hasSentLinks(base: ItemContent | undefined): boolean {
  if (base?.embed_items === undefined) return false;
  return !isHtml(base) || !Bun.deepEquals(base.embed_items, readHtml(base.text).links);
}

/** Whether the source sent the domains of an item, rather than having them derived from its links. */
function hasSentDomains(base: ItemContent | undefined): boolean {
  if (base?.embed_domains === undefined) return false;
  return !Bun.deepEquals(base.embed_domains, domainsOfUrls(base.embed_items ?? []));
}

/** Whether the stored language was detected from the former text, as far as can be determined. */
function isGuessed(base: ItemContent | undefined, merged: ItemContent, languages: LanguageDetector): boolean {
  if (base?.language === undefined) return true;
  const former = readableText(base);
  return (
    former !== undefined && former !== readableText(merged) && languages.detect(former) === base.language
  );
}

function set<K extends keyof ItemContent>(content: ItemContent, field: K, value: ItemContent[K]): void {
  if (value === undefined) delete content[field];
  else content[field] = value;
}

/** Drops removed fields, and turns label maps into ordinary objects, as JSON parses them. */
export function withoutUndefined<T extends object>(content: T): T {
  return JSON.parse(JSON.stringify(content)) as T;
}
