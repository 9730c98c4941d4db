import type { SiteDocument } from './docs-list.ts';
import type { Section } from './docs-sections.ts';

export interface Page {
  title: string;
  /** For search engines and links that show a preview. */
  description: string;
  /** HTML. */
  content: string;
  /** Undefined for the list of all documents. */
  current?: SiteDocument;
  sections: readonly Section[];
}

const { escapeHTML } = Bun;

/** The entry of a document in a list. Those that belong to the one before them are indented. */
export function entry({ is_below }: SiteDocument, html: string): string {
  return `<li${is_below ? ' class="below"' : ''}>${html}</li>`;
}

/** The documents of each group, in order. */
export function inGroups(documents: readonly SiteDocument[]): [group: string, SiteDocument[]][] {
  return [...Map.groupBy(documents, ({ group }) => group)];
}

/**
 * A page of the site. Without scripts, all of it works but the search, the copy buttons and the choice of colours.
 * Addresses are relative, so they work behind any path prefix.
 */
export function framed(page: Page, documents: readonly SiteDocument[]): string {
  const { title, description, content, current, sections } = page;
  const root = current === undefined ? '' : '../';
  const headings = sections.filter(({ level }) => level === 2 || level === 3);
  const has_contents = headings.length > 1;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="description" content="${escapeHTML(description)}">
    <title>${escapeHTML(title)} – Feedloom</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${root}docs/site.css">
    <script src="${root}docs/site.js"></script>
  </head>
  <body class="shell">
    <header class="top">
      <a class="skip" href="#text">Skip to the text</a>
      <button type="button" class="button quiet menu-button" popovertarget="pages">Menu</button>
      <a class="brand" href="${root}docs">Feedloom docs</a>
      ${has_contents ? '<button type="button" class="button quiet contents-button" popovertarget="contents">On this page</button>' : ''}
      <div class="tools" id="tools"></div>
    </header>
${navigation(documents, root, current)}
    <main id="text" tabindex="-1">
      <article>
${content}
      </article>
${current === undefined ? '' : neighbours(documents, documents.indexOf(current))}
    </main>
${has_contents ? contentsOf(headings) : ''}
  </body>
</html>
`;
}

function navigation(documents: readonly SiteDocument[], root: string, current?: SiteDocument): string {
  const groups = inGroups(documents).map(([group, members]) => {
    const entries = members.map((one) => {
      const mark = one === current ? ' aria-current="page"' : '';
      return entry(one, `<a href="${root}docs/${one.name}"${mark}>${escapeHTML(one.title)}</a>`);
    });
    return `<p class="label">${escapeHTML(group)}</p>\n<ul>\n${entries.join('\n')}\n</ul>`;
  });
  return `<nav id="pages" aria-label="Documents" popover>
<a href="${root}docs"${current === undefined ? ' aria-current="page"' : ''}>All documents</a>
${groups.join('\n')}
<div class="links"><a href="${root}console">Console</a><a href="${root}swagger">Swagger UI</a></div>
</nav>`;
}

function contentsOf(headings: readonly Section[]): string {
  const entries = headings.map(
    ({ id, level, title }) => `<li class="level-${level}"><a href="#${id}">${escapeHTML(title)}</a></li>`,
  );
  return `<aside id="contents" class="contents" aria-label="On this page" popover>
<p class="label">On this page</p>
<ul>
${entries.join('\n')}
</ul>
</aside>`;
}

/** Links to the document before and the one after. */
function neighbours(documents: readonly SiteDocument[], at: number): string {
  const link = (rel: 'prev' | 'next', word: string, to: SiteDocument | undefined): string =>
    to === undefined
      ? ''
      : `<a rel="${rel}" href="${to.name}"><small>${word}</small>${escapeHTML(to.title)}</a>`;
  const links = [link('prev', 'Previous', documents[at - 1]), link('next', 'Next', documents[at + 1])];
  return `<footer class="neighbours">${links.join('\n')}</footer>`;
}
