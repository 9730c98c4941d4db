import { describe, expect, test } from 'bun:test';
import { blocksOf, document, documents } from '../docs/markdown.ts';
import { forFile, openTestServer } from '../support/service.ts';

/** The pages by the names under which `/docs` lists them. */
const pages = new Map<string, string>();

/** Without a key. */
const get = (path: string) => server.call('GET', path, undefined, {});

const addressesIn = (html: string) =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, address]) => address);

const server = await forFile(openTestServer());
const { body } = await get('/docs');
for (const address of addressesIn(String(body)).filter((each) => each.startsWith('docs/')))
  pages.set(address.slice('docs/'.length), String((await get(`/${address}`)).body));

describe('GET /docs', () => {
  test('/docs lists every document for users once', () => {
    const files = documents()
      .map(({ path }) => path)
      .filter((path) => /^(README|CHANGELOG|docs\/.*)\.md$/.test(path));
    const names = files.map((path) => path.replace(/^docs\/|\.md$/g, '').toLowerCase());
    expect([...pages.keys()].sort()).toEqual(names.sort());
  });

  test('/docs says what each document is for', async () => {
    const { body } = await get('/docs');
    const list = String(body);
    expect(list).toContain(
      '<li><a href="docs/meaning">Meaning</a>: embeddings of items: feeds by meaning, similar items</li>',
    );
    const bare = [...list.matchAll(/<li><a href="docs\/([^"]+)">[^<]*<\/a><\/li>/g)].map(([, name]) => name);
    // The README has the table, and the guide to plugins leads to their examples.
    expect(bare).toEqual(['readme', 'plugin-examples']);
  });

  test('/docs is a page without scripts and external resources, and needs no key', async () => {
    for (const path of ['/docs', '/docs/api', '/docs/readme']) {
      const { status, headers, body } = await get(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).toStartWith(
        "default-src 'none'; style-src 'unsafe-inline'; ",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(String(body)).not.toMatch(/<script|javascript:|@import|url\(/);
    }
  });

  test('/docs is not in the OpenAPI document', async () => {
    const { body } = await get('/swagger/json');
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/docs'))).toEqual([]);
  });
});

describe('GET /docs/<name>', () => {
  test('a document page shows headings, tables and commands', () => {
    const api = pages.get('api')!;
    expect(api).toContain('<title>The HTTP API – Feedloom</title>');
    expect(api).toContain('<h2 id="errors">Errors</h2>');
    expect(api).toMatch(/<div class="table"><table>[\s\S]*<code>state_<wbr>full<\/code>/);
    expect(api).toContain('feedloom keys create --account my-app --scope feed:read --data data');
    expect(api).not.toMatch(/^\||^```/m);
  });

  test('a document page shows text that looks like HTML as text', () => {
    expect(document('docs/api.md').text).toContain('<network>');
    expect(pages.get('api')).toContain('&lt;network&gt;');
    expect(pages.get('api')).not.toContain('<network>');
  });

  test('links between document pages lead to headings that exist', () => {
    const ids = new Map(
      [...pages].map(([name, html]) => [
        name,
        new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    );
    const internal = [...pages].flatMap(([name, html]) =>
      addressesIn(html)
        .filter((address) => !/^[a-z]+:|^\.\.\/docs$|\.(svg|webp)$/.test(address))
        .map((address) => ({ name, address })),
    );
    expect(internal.length).toBeGreaterThan(20);
    expect(internal).toContainEqual({ name: 'readme', address: 'performance#sizing' });
    const broken = internal.filter(({ name, address }) => {
      const [page, anchor] = address.split('#', 2);
      const known = ids.get(page === '' ? name : page);
      return known === undefined || (anchor !== undefined && !known.has(anchor));
    });
    expect(broken).toEqual([]);
  });

  test('a document page has no links to sources, which are not served', () => {
    expect(pages.get('plugin-examples')).toMatch(/;\s+http\s+is\s+a\s+provider/);
    for (const html of pages.values()) expect(html).not.toMatch(/href="[^"]*(\.ts|\.md|src\/|test\/)/);
  });

  test('a document page shows its pictures', async () => {
    for (const [name, html] of pages) {
      const path = name === 'readme' ? 'README.md' : `docs/${name}.md`;
      if (name === 'changelog') continue;
      const expected = [...document(path).text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)];
      const shown = [...html.matchAll(/<img src="([^"]+)"/g)].map(([, address]) => address);
      expect([name, shown]).toEqual([name, expected.map(([, file]) => file.split('/').at(-1)!)]);
      for (const address of shown) {
        const { status, headers } = await get(`/docs/${address}`);
        const type = address.endsWith('.svg') ? 'image/svg+xml' : 'image/webp';
        expect([address, status, headers.get('content-type')]).toEqual([address, 200, type]);
      }
    }
    expect(String((await get('/docs/architecture.svg')).body)).toContain('<svg ');
  });

  test('no document page shows the source of a diagram', () => {
    for (const [name, html] of pages)
      expect([name, html.includes('language-mermaid')]).toEqual([name, false]);
  });

  test('an unknown document gets 404', async () => {
    for (const name of ['nothing', 'constructor', 'api.md', '..%2Fpackage.json']) {
      const { status, body } = await get(`/docs/${name}`);
      expect([name, status, body.code]).toEqual([name, 404, 'not_found']);
    }
  });

  test('a document page keeps every code block', () => {
    for (const one of documents().filter(({ path }) => path.startsWith('docs/'))) {
      const html = pages.get(one.path.replace(/^docs\/|\.md$/g, ''))!;
      expect([one.path, html.match(/<pre>/g)?.length ?? 0]).toEqual([one.path, blocksOf(one).length]);
    }
  });
});
