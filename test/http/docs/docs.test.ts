import { describe, expect, test } from 'bun:test';
import { posix } from 'node:path';
import { blocksOf, document, documents } from '../../docs/markdown.ts';
import { forFile, openTestServer } from '../../support/service.ts';

/** The pages by their paths: `/docs`, and all that it lists. */
const pages = new Map<string, string>();

/** Without a key. */
const get = (path: string) => server.call('GET', path, undefined, {});

const addressesIn = (html: string) =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, address]) => address);

/** What a browser opens for an address in a page. */
const resolved = (address: string, page: string) => {
  const { pathname, hash } = new URL(address, `http://feedloom${page}`);
  return { path: pathname, anchor: decodeURIComponent(hash.slice(1)) };
};

const server = await forFile(openTestServer());
const list = String((await get('/docs')).body);
pages.set('/docs', list);
const [, main] = list.split('<main');
for (const [, name] of main.matchAll(/<li[^>]*><a href="docs\/([^"]+)">/g))
  pages.set(`/docs/${name}`, String((await get(`/docs/${name}`)).body));

/** Where the site has a document. */
const pathOf = (path: string) =>
  `/docs/${path
    .replace(/^docs\/|(\/README)?\.md$/g, '')
    .replaceAll('/', '-')
    .toLowerCase()}`;
/** Those for people who run or use the service. */
const FOR_USERS = documents().filter(({ path }) => /^([A-Z]+|(docs|deploy|openapi)\/.*)\.md$/.test(path));

describe('GET /docs', () => {
  test('/docs lists every document for users once, in a group', () => {
    const wanted = FOR_USERS.map(({ path }) => pathOf(path));
    expect([...pages.keys()].sort()).toEqual(['/docs', ...wanted].sort());
    const groups = [...main.matchAll(/<h2>([^<]+)<\/h2>\s*<ul>\s*<li>/g)].map(([, name]) => name);
    expect(groups).toEqual(['Start', 'Feeds', 'Data', 'Networks', 'Operate', 'Extend', 'Reference']);
  });

  test('/docs says what each document is for', () => {
    expect(main).toContain(
      '<li><a href="docs/meaning">Meaning</a> <small>embeddings of items: feeds by meaning, similar items</small></li>',
    );
    const bare = [...main.matchAll(/<li[^>]*><a href="docs\/([^"]+)">[^<]*<\/a><\/li>/g)].map(
      ([, name]) => name,
    );
    // The README's first paragraph is above the list.
    expect(bare).toEqual(['readme']);
    expect(main).toContain(
      '<li class="below"><a href="docs/deploy-examples-express">Express</a> <small>The same page, served by an Express app on Node 20.3 or later</small></li>',
    );
  });

  test('/docs loads scripts and styles of the service alone, has nothing inline, and needs no key', async () => {
    for (const path of ['/docs', '/docs/api', '/docs/readme']) {
      const { status, headers, body } = await get(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      const policy = headers.get('content-security-policy');
      expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self'; ");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(String(body)).not.toMatch(/<script>|<style| style=| on[a-z]+=|javascript:/);
    }
  });

  test('/docs is not in the OpenAPI document', async () => {
    const { body } = await get('/swagger/json');
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/docs'))).toEqual([]);
  });
});

describe('the pages of documents', () => {
  test('have the navigation with their own entry marked, and lead to the one before and after', () => {
    const order = [...pages.keys()].slice(1);
    for (const [at, path] of order.entries()) {
      const html = pages.get(path)!;
      const [nav] = html.split('</nav>');
      const linked = addressesIn(nav).map((address) => resolved(address, path).path);
      expect(linked).toEqual(expect.arrayContaining(order));
      const [, marked] = /<a href="([^"]+)" aria-current="page">/.exec(nav)!;
      expect(resolved(marked, path).path).toBe(path);
      const neighbours = ['prev', 'next'].map(
        (rel) => new RegExp(`rel="${rel}" href="([^"]+)"`).exec(html)?.[1],
      );
      const wanted = [order[at - 1], order[at + 1]].map((one) => one && posix.basename(one));
      expect([path, ...neighbours]).toEqual([path, ...wanted]);
    }
  });

  test('list their headings, which are links to themselves', () => {
    const api = pages.get('/docs/api')!;
    expect(api).toContain('<h2 id="errors"><a href="#errors">Errors</a></h2>');
    const [, contents] = /<aside id="contents"[^>]*>(.*?)<\/aside>/s.exec(api)!;
    const headings = [...api.matchAll(/<h[23] id="([^"]+)">/g)].map(([, id]) => `#${id}`);
    expect(headings.length).toBeGreaterThan(5);
    expect(addressesIn(contents)).toEqual(headings);
  });

  test('have no link, picture, script or style sheet that leads nowhere', async () => {
    const internal = [...pages].flatMap(([page, html]) =>
      addressesIn(html)
        .filter((address) => !/^[a-z]+:/.test(address))
        .map((address) => ({ page, address, ...resolved(address, page) })),
    );
    expect(internal).toContainEqual({
      page: '/docs/readme',
      address: 'performance#sizing',
      path: '/docs/performance',
      anchor: 'sizing',
    });
    const known = new Map(pages);
    for (const path of new Set(internal.map((one) => one.path)))
      if (!known.has(path) && (await get(path)).status === 200) known.set(path, '');
    const broken = internal.filter(({ path, anchor }) => {
      const html = known.get(path);
      return html === undefined || (anchor !== '' && !html.includes(` id="${anchor}"`));
    });
    expect(broken).toEqual([]);
  });

  test('have names of documents in links, not of files', () => {
    const readme = pages.get('/docs/readme')!;
    expect(readme).toContain('<a href="performance#sizing">Performance</a>');
    for (const html of pages.values()) expect(html).not.toMatch(/>[\w./-]+\.md<\/a>/);
  });

  test('have no links to sources, which are not served', () => {
    expect(pages.get('/docs/plugins-integrations')).toMatch(/;\s+http\s+is\s+a\s+provider/);
    for (const html of pages.values()) expect(html).not.toMatch(/href="[^"]*(\.ts|\.md|src\/|test\/)/);
  });
});

describe('GET /docs/<name>', () => {
  test('a document page shows headings, tables and commands', () => {
    const api = pages.get('/docs/api')!;
    expect(api).toContain('<title>The HTTP API – Feedloom</title>');
    expect(api).toMatch(/<div class="table"[^>]*><table>[\s\S]*<code>state_<wbr>full<\/code>/);
    expect(api).toContain('feedloom keys create --account my-app --scope feed:read --data data');
    expect(api).not.toMatch(/^\||^```/m);
  });

  test('a document page shows text that looks like HTML as text', () => {
    expect(document('docs/api.md').text).toContain('<network>');
    expect(pages.get('/docs/api')).toContain('&lt;network&gt;');
    expect(pages.get('/docs/api')).not.toContain('<network>');
  });

  test('a document page shows its pictures', async () => {
    for (const { path, text } of FOR_USERS.filter((one) => one.path !== 'CHANGELOG.md')) {
      const page = pathOf(path);
      const expected = [...text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)];
      const shown = [...pages.get(page)!.matchAll(/<img src="([^"]+)"/g)].map(([, address]) => address);
      expect([page, shown]).toEqual([page, expected.map(([, file]) => posix.basename(file))]);
      for (const address of shown) {
        const { status, headers } = await get(`/docs/${address}`);
        const type = address.endsWith('.svg') ? 'image/svg+xml' : 'image/webp';
        expect([address, status, headers.get('content-type')]).toEqual([address, 200, type]);
      }
    }
    expect(String((await get('/docs/architecture.svg')).body)).toContain('<svg ');
  });

  test('no document page shows the source of a diagram', () => {
    for (const [path, html] of pages)
      expect([path, html.includes('language-mermaid')]).toEqual([path, false]);
  });

  test('an unknown document gets 404', async () => {
    for (const name of ['nothing', 'constructor', 'nothing.md', '..%2Fpackage.json']) {
      const { status, body } = await get(`/docs/${name}`);
      expect([name, status, body.code]).toEqual([name, 404, 'not_found']);
    }
  });

  test('the name of a file leads to its document', async () => {
    const { status, headers } = await get('/docs/first-feed.md');
    expect(status).toBe(302);
    const address = headers.get('location')!;
    expect(resolved(address, '/docs/first-feed.md').path).toBe('/docs/first-feed');
    expect((await get('/docs/README.md')).headers.get('location')).toBe('readme');
  });

  test('a document page keeps every code block', () => {
    for (const one of FOR_USERS) {
      const html = pages.get(pathOf(one.path))!;
      expect([one.path, html.match(/<pre /g)?.length ?? 0]).toEqual([one.path, blocksOf(one).length]);
    }
  });
});

test('GET /docs/sections.json has what the search finds: every heading of every page, with its text', async () => {
  const { body: sections } = await get('/docs/sections.json');
  const found = new Set(sections.map(({ id }: { id: string }) => id));
  const headings = [...pages].slice(1).flatMap(([path, html]) => {
    const [title, ...others] = [...html.matchAll(/<h[1-6] id="([^"]+)">/g)].map(([, id]) => id);
    const name = posix.basename(path);
    return title === undefined ? [] : [name, ...others.map((id) => `${name}#${id}`)];
  });
  expect(found.size).toBe(sections.length);
  expect([...found].sort()).toEqual(headings.sort());
  expect(sections).toContainEqual({
    id: 'api#errors',
    page: 'Reference › The HTTP API',
    title: 'Errors',
    text: expect.stringContaining('state_full'),
  });
});
