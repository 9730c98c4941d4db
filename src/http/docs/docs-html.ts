import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { entry, framed, inGroups } from './docs-frame.ts';
import { readDocument, type SiteDocument, siteDocuments } from './docs-list.ts';
import { type Section, sectionsOf } from './docs-sections.ts';

const { escapeHTML } = Bun;

/** Pages and pictures: what a link shows and its address, by the path in the repository. */
type Targets = ReadonlyMap<string, { title: string; name: string }>;

/** Finds the target of a relative link. Undefined: there is no such page. */
function targetOf(href: string, from: SiteDocument, targets: Targets) {
  const [file, anchor] = href.split('#', 2);
  const path = join(dirname(from.path), file).replace(/\/$/, '');
  const target = targets.get(path) ?? targets.get(`${path}/README.md`);
  if (target === undefined) return undefined;
  return { title: target.title, address: anchor === undefined ? target.name : `${target.name}#${anchor}` };
}

/** Renders the text of a document. HTML in it is shown as text. */
function articleOf(document: SiteDocument, targets: Targets): string {
  const html = Bun.markdown.html(document.markdown, {
    headings: true,
    noHtmlBlocks: true,
    noHtmlSpans: true,
  });
  let title: string | undefined;
  return new HTMLRewriter()
    .on('a', {
      element(link) {
        const href = link.getAttribute('href') ?? '';
        title = undefined;
        if (/^[a-z]+:|^#/.test(href)) return;
        const target = targetOf(href, document, targets);
        // Source files are not served, so links to them become text.
        if (target === undefined) link.removeAndKeepContent();
        else link.setAttribute('href', target.address);
        title = target?.title;
      },
      text(chunk) {
        // The site has pages, not files.
        if (title !== undefined && /^[\w./-]+\.md$/.test(chunk.text)) chunk.replace(title);
      },
    })
    .on('img', {
      element(image) {
        image.setAttribute(
          'src',
          targetOf(image.getAttribute('src') ?? '', document, targets)?.address ?? '',
        );
      },
    })
    .on('table', {
      element(table) {
        // The keyboard scrolls what has the focus.
        table.before('<div class="table" tabindex="0" role="group" aria-label="Table">', { html: true });
        table.after('</div>', { html: true });
      },
    })
    .on('pre', {
      element(code) {
        code.before('<div class="code-block">', { html: true }).after('</div>', { html: true });
        for (const [name, value] of [
          ['tabindex', '0'],
          ['role', 'group'],
          ['aria-label', 'Code'],
        ])
          code.setAttribute(name, value);
      },
    })
    .on('td code', {
      // Long names may be broken, so that narrow cells stay readable.
      text(chunk) {
        chunk.replace(chunk.text.replace(/(?<=\w)[_/=]/g, '$&<wbr>'), { html: true });
      },
    })
    .transform(html);
}

function documentPage(
  document: SiteDocument,
  sections: readonly Section[],
  documents: readonly SiteDocument[],
  targets: Targets,
): string {
  const { title, purpose, group } = document;
  const content = `<p class="group">${escapeHTML(group)}</p>\n${articleOf(document, targets)}`;
  return framed({ title, description: purpose ?? title, content, current: document, sections }, documents);
}

/** The list of all documents, with the README's first paragraph above it. */
function listPage(documents: readonly SiteDocument[]): string {
  const groups = inGroups(documents).map(([group, members]) => {
    const entries = members.map((one) => {
      const { name, title, purpose } = one;
      const about = purpose === undefined ? '' : ` <small>${escapeHTML(purpose)}</small>`;
      return entry(one, `<a href="docs/${name}">${escapeHTML(title)}</a>${about}`);
    });
    return `<section>\n<h2>${escapeHTML(group)}</h2>\n<ul>\n${entries.join('\n')}\n</ul>\n</section>`;
  });
  const description = sectionsOf(documents[0].markdown)[0].text.split('\n\n')[0];
  const content = `<h1>Documents</h1>\n<p>${escapeHTML(description)}</p>\n<div class="groups">\n${groups.join('\n')}\n</div>`;
  return framed({ title: 'Documents', description, content, sections: [] }, documents);
}

/** The list of documents; pages by name; pictures as base64; sections for the search. */
export type Site = ReturnType<typeof renderSite>;

/**
 * The documents for users, compressed: in the executable, text takes several times its size. A macro: Bun runs it when
 * it compiles a file that calls it.
 * @returns a `Site` as JSON, Zstandard and base64
 */
export function packSite(): string {
  return Bun.zstdCompressSync(JSON.stringify(renderSite()), { level: 19 }).toString('base64');
}

function renderSite() {
  const documents = siteDocuments();
  const pictures = readdirSync(join(import.meta.dir, '..', '..', '..', 'docs'), {
    recursive: true,
    encoding: 'utf8',
  })
    .filter((file) => /\.(svg|webp)$/.test(file))
    .sort()
    .map((file) => join('docs', file));
  const targets = new Map([
    ...documents.map(({ path, title, name }) => [path, { title, name }] as const),
    ...pictures.map((path) => [path, { title: '', name: basename(path) }] as const),
  ]);
  const sections = new Map(documents.map((one) => [one, sectionsOf(one.markdown)] as const));
  return {
    list: listPage(documents),
    pages: Object.fromEntries(
      documents.map((one) => [one.name, documentPage(one, sections.get(one) ?? [], documents, targets)]),
    ),
    pictures: Object.fromEntries(
      pictures.map((path) => [basename(path), readDocument(path).toString('base64')]),
    ),
    sections: [...sections].flatMap(([{ name, title: page, group }, parts]) =>
      parts.map(({ id, level, title, text }) => ({
        id: level === 1 ? name : `${name}#${id}`,
        page: `${group} › ${page}`,
        title,
        text,
      })),
    ),
  };
}
