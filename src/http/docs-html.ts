import { Marked, Renderer, type Tokens } from 'marked';

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

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character]);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(title)} – Feedloom</title>
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

/** Anchor of a heading, as GitHub creates it. */
function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Renders headings with anchors, links between documents, and tables that scroll. Raw HTML is escaped. */
class DocsRenderer extends Renderer {
  private readonly slugs = new Set<string>();

  /** @param names documents and pictures that links may point to */
  constructor(private readonly names: ReadonlySet<string>) {
    super();
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    const slug = slugOf(this.parser.parseInline(tokens, this.parser.textRenderer));
    let id = slug;
    for (let count = 1; this.slugs.has(id); count++) id = `${slug}-${count}`;
    this.slugs.add(id);
    return `<h${depth} id="${escaped(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  }

  override link(token: Tokens.Link): string {
    const href = this.addressOf(token.href);
    const text = this.parser.parseInline(token.tokens);
    // Source files are not served, so links to them become text.
    return href === undefined ? text : `<a href="${escaped(href)}">${text}</a>`;
  }

  override image({ href, text }: Tokens.Image): string {
    const source = this.addressOf(href);
    return source === undefined ? escaped(text) : `<img src="${escaped(source)}" alt="${escaped(text)}">`;
  }

  /** Allows line breaks inside long names, so that narrow table cells stay readable. */
  override codespan({ text }: Tokens.Codespan): string {
    return `<code>${escaped(text).replace(/(?<=\w)[_/=]/g, '$&<wbr>')}</code>`;
  }

  override table(token: Tokens.Table): string {
    return `<div class="table">${super.table(token)}</div>\n`;
  }

  /** Shows HTML in a document as text. */
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escaped(text);
  }

  /** Address of a link relative to a document page. All pages are in one folder. Undefined: there is no such page. */
  private addressOf(href: string): string | undefined {
    if (/^[a-z]+:|^#/.test(href)) return href;
    const [path, anchor] = href.split('#', 2);
    const file = path.split('/').at(-1) ?? '';
    const name = file.replace(/\.md$/, '').toLowerCase();
    // Folders of sources have their own READMEs, and a folder may have the name of a document.
    const is_other = name === 'readme' ? !/^(\.\.\/)?README\.md$/.test(path) : !file.includes('.');
    if (is_other || !this.names.has(name)) return undefined;
    return anchor === undefined ? name : `${name}#${anchor}`;
  }
}

/**
 * Renders a document as a page without scripts. Links are relative to `/docs/`, so they work behind any path prefix.
 * @param names names of all documents and pictures
 */
export function docsPage(markdown: string, names: ReadonlySet<string>): string {
  const body = new Marked().parse(markdown, { async: false, renderer: new DocsRenderer(names) });
  return page(titleOf(markdown), `<nav><a href="../docs">All documents</a></nav>\n${body}`);
}

/** What documents are for, by their names, as the table of the README says it. */
function purposesIn(readme: string): Map<string, string> {
  const rows = readme.matchAll(/^\| \[\S+\]\((?:docs\/)?(\S+)\.md\) \| (.+) \|$/gm);
  return new Map([...rows].map(([, name, purpose]) => [name.toLowerCase(), purpose]));
}

/** Renders the list of all documents, for `/docs`. @param documents Markdown by name */
export function docsList(documents: ReadonlyMap<string, string>): string {
  const purposes = purposesIn(documents.get('readme') ?? '');
  const entries = [...documents].map(([name, markdown]) => {
    const purpose = purposes.get(name);
    const link = `<a href="docs/${name}">${escaped(titleOf(markdown))}</a>`;
    return `<li>${link}${purpose === undefined ? '' : `: ${escaped(purpose)}`}</li>`;
  });
  return page(
    'Documents',
    `<h1>Documents</h1>\n<ul>\n${entries.join('\n')}\n</ul>\n<p>The API to try out: <a href="swagger">Swagger UI</a>.</p>`,
  );
}
