import { normaliseLanguage, primaryLanguage } from '../languages.ts';
import type { GroupColumn } from '../request-context.ts';
import { domainOfUrl, normaliseDomain, normalisePublicationType } from '../values.ts';
import type { TestItem } from './world.ts';

export function valuesOf(item: TestItem, column: GroupColumn): string[] {
  switch (column) {
    case 'author':
      return known(item.author_id);
    case 'channel':
      return known(item.channel);
    case 'app':
      return known(item.app_fid);
    case 'language':
      return known(normaliseLanguage(item.language ?? '')).map(primaryLanguage);
    case 'publication_type':
      return (item.publication_types ?? []).map(normalisePublicationType);
    case 'label':
      return Object.keys(item.ai_labels ?? {});
    case 'domain':
      return domainsOf(item).flatMap(withParents);
  }
}

function known(value: string | undefined): string[] {
  return value === undefined ? [] : [value];
}

function domainsOf({ embed_domains, embed_items = [] }: TestItem): string[] {
  const domains = embed_domains?.map(normaliseDomain) ?? embed_items.map(domainOfUrl);
  return domains.filter((domain) => domain !== undefined);
}

/** `a.b.c`, `b.c`, `c` */
function withParents(domain: string): string[] {
  const labels = domain.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}
