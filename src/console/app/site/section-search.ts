import MiniSearch from 'minisearch';

/** A part of a document below one heading. */
export interface Section {
  /** Name of the document; with `#` and an anchor unless it is its beginning. */
  id: string;
  /** Its group and its title. */
  page: string;
  title: string;
  text: string;
}

export interface Hit {
  href: string;
  page: string;
  title: string;
  /** What is around the first word found. Every second part was found. */
  snippet: string[];
}

/** Words of questions that are in every document. */
const COMMON = new Set(
  'a an and are by can do does for how i in is it my of on or the to what with'.split(' '),
);
const HITS_MAX = 12;
const SNIPPET_LENGTH = 150;
const BEFORE_FOUND = 50;

export type Search = (query: string) => Hit[];

/** The search of these sections. @param folder the address that links begin with */
export function searchIn(sections: readonly Section[], folder: string): Search {
  const by_id = new Map(sections.map((section) => [section.id, section]));
  const index = new MiniSearch<Section>({
    fields: ['title', 'page', 'text'],
    processTerm: (term) => (COMMON.has(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: {
      boost: { title: 4, page: 2 },
      // How it is now comes before what it was.
      boostDocument: (id) => (String(id).startsWith('changelog') ? 0.3 : 1),
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(sections);
  return (query) => {
    const all = index.search(query, { combineWith: 'AND' });
    const found = all.length > 0 ? all : index.search(query);
    return found.slice(0, HITS_MAX).flatMap(({ id, terms }) => {
      const section = by_id.get(String(id));
      return section === undefined ? [] : [hitOf(section, folder, terms)];
    });
  };
}

function hitOf({ id, page, title, text }: Section, folder: string, terms: readonly string[]): Hit {
  // Terms have no punctuation, but these symbols. Browsers have `RegExp.escape` since 2025 only.
  const words = terms.map((term) => term.replace(/[$^+|]/g, '\\$&')).join('|');
  const found = new RegExp(`(${words})`, 'iu');
  const at = Math.max(0, text.search(found) - BEFORE_FOUND);
  // Begins with a whole word.
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const cut = text.slice(start, start + SNIPPET_LENGTH);
  const snippet = `${start > 0 ? '…' : ''}${cut}${start + SNIPPET_LENGTH < text.length ? '…' : ''}`;
  return { href: new URL(id, folder).href, page, title, snippet: snippet.split(new RegExp(found, 'giu')) };
}
