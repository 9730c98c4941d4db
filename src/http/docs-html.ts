import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const REPOSITORY = join(import.meta.dir, '..', '..');

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 0 1rem 4rem; overflow-wrap: break-word; }
  nav { padding: 1rem 0; }
  h1, h2, h3 { line-height: 1.25; margin: 2em 0 .6em; }
  h1 { margin-top: .5em; }
  code, pre { font: .875em/1.45 ui-monospace, monospace; }
  code { overflow-wrap: break-word; }
  pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid #8886; border-radius: 6px; background: #8881; }
  pre code { font-size: 1em; overflow-wrap: normal; }
  .table { overflow-x: auto; }
  table { border-collapse: collapse; }
  th, td { border: 1px solid #8886; padding: .35rem .6rem; text-align: left; vertical-align: top; min-width: 5.5rem; }
  img { max-width: 100%; height: auto; }
  a { color: #1f6feb; }
  @media (prefers-color-scheme: dark) { a { color: #6ea8ff; } }
`;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${Bun.escapeHTML(title)} – Feedloom</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
  </head>
  <body>
${body}
  </body>
</html>
`;
}

/** The first heading of a document. */
function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? '';
}

/** What documents are for, by their names, in the order of the README's table. */
function purposesIn(readme: string): Map<string, string> {
  const rows = readme.matchAll(/^\| \[\S+\]\((?:docs\/)?([\w-]+)\.md\) \| (.+) \|$/gm);
  return new Map([...rows].map(([, name, purpose]) => [name.toLowerCase(), purpose]));
}

/**
 * Address of a link relative to a document page. All pages are in one folder. Undefined: there is no such page.
 * @param names documents and pictures that links may point to
 */
function addressOf(href: string, names: ReadonlySet<string>): string | undefined {
  if (/^[a-z]+:|^#/.test(href)) return href;
  const [path, anchor] = href.split('#', 2);
  const file = basename(path);
  const name = file.replace(/\.md$/, '').toLowerCase();
  // Folders of sources have their own READMEs, and a folder may have the name of a document.
  const is_other = name === 'readme' ? !/^(\.\.\/)?README\.md$/.test(path) : !file.includes('.');
  if (is_other || !names.has(name)) return undefined;
  return anchor === undefined ? name : `${name}#${anchor}`;
}

/** Renders a document as a page without scripts. HTML in it is shown as text. */
function docsPage(markdown: string, names: ReadonlySet<string>): string {
  const html = Bun.markdown.html(markdown, {
    headings: { ids: true },
    noHtmlBlocks: true,
    noHtmlSpans: true,
  });
  const body = new HTMLRewriter()
    .on('a', {
      element(link) {
        const address = addressOf(link.getAttribute('href') ?? '', names);
        // Source files are not served, so links to them become text.
        if (address === undefined) link.removeAndKeepContent();
        else link.setAttribute('href', address);
      },
    })
    .on('img', {
      element(image) {
        image.setAttribute('src', basename(image.getAttribute('src') ?? ''));
      },
    })
    .on('table', {
      element(table) {
        table.before('<div class="table">', { html: true }).after('</div>', { html: true });
      },
    })
    .on(':not(pre) > code', {
      // Long names may be broken, so that narrow table cells stay readable.
      text(chunk) {
        chunk.replace(chunk.text.replace(/(?<=\w)[_/=]/g, '$&<wbr>'), { html: true });
      },
    })
    .transform(html);
  // Links are relative to `/docs/`, so they work behind any path prefix.
  return page(titleOf(markdown), `<nav><a href="../docs">All documents</a></nav>\n${body}`);
}

/** Renders the list of all documents. */
function docsList(documents: ReadonlyMap<string, string>, purposes: ReadonlyMap<string, string>): string {
  const entries = [...documents].map(([name, markdown]) => {
    const purpose = purposes.get(name);
    const link = `<a href="docs/${name}">${Bun.escapeHTML(titleOf(markdown))}</a>`;
    return `<li>${link}${purpose === undefined ? '' : `: ${Bun.escapeHTML(purpose)}`}</li>`;
  });
  return page(
    'Documents',
    `<h1>Documents</h1>\n<ul>\n${entries.join('\n')}\n</ul>\n<p>The API to try out: <a href="swagger">Swagger UI</a>.</p>`,
  );
}

/**
 * The documents for users. A macro: Bun runs it when it compiles a file that calls it.
 * @returns the list of documents; pages by name, which is the name of the file in lower case; pictures as base64
 */
export function renderDocs() {
  const read = (path: string): Buffer => readFileSync(join(REPOSITORY, path));
  const files = readdirSync(join(REPOSITORY, 'docs'), { recursive: true, encoding: 'utf8' });
  const documents = new Map([['readme', `${read('README.md')}`]]);
  const purposes = purposesIn(documents.get('readme') ?? '');
  const names = files.filter((file) => file.endsWith('.md')).map((file) => file.replace('.md', ''));
  for (const name of [...purposes.keys(), ...names]) {
    if (names.includes(name)) documents.set(name, `${read(`docs/${name}.md`)}`);
  }
  documents.set('changelog', `${read('CHANGELOG.md')}`);
  const pictures = files.filter((file) => /\.(svg|webp)$/.test(file));
  const linked = new Set([...documents.keys(), ...pictures.map((file) => basename(file))]);
  return {
    list: docsList(documents, purposes),
    pages: Object.fromEntries([...documents].map(([name, text]) => [name, docsPage(text, linked)])),
    pictures: Object.fromEntries(
      pictures.map((file) => [basename(file), read(`docs/${file}`).toString('base64')]),
    ),
  };
}
