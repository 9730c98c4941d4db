import { Elysia } from 'elysia';
import { ServiceError } from '../errors.ts';
import { DOCS_FILES, DOCS_PICTURES } from './docs-files.ts';
import { docsList, docsPage } from './docs-html.ts';
import { Written } from './written-answer.ts';

/** Pages load only their own pictures and styles, and run no scripts. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML_TYPE = 'text/html; charset=utf-8';
/** By the ending of the name. */
const PICTURE_TYPES: Readonly<Record<string, string>> = { svg: 'image/svg+xml', webp: 'image/webp' };

/** `GET /docs` and `GET /docs/<name>`: the documents as pages. A page is rendered on its first request. */
export function docsRoutes() {
  const hidden = { detail: { hide: true } };
  const pages = new Pages();
  return new Elysia()
    .onBeforeHandle(({ set }) => {
      set.headers['content-security-policy'] = POLICY;
    })
    .get('/docs', () => pages.list(), hidden)
    .get('/docs/:name', ({ params: { name } }) => pages.named(name), hidden);
}

/** Cache of rendered pages. It is never evicted: there are few documents. */
class Pages {
  private readonly names = new Set([...DOCS_FILES.keys(), ...DOCS_PICTURES.keys()]);
  private readonly made = new Map<string, Written>();
  private listed: Written | undefined;

  async list(): Promise<Written> {
    if (this.listed === undefined) {
      const documents = new Map<string, string>();
      for (const [name, path] of DOCS_FILES) documents.set(name, await Bun.file(path).text());
      this.listed = new Written(docsList(documents), HTML_TYPE);
    }
    return this.listed;
  }

  /** @throws ServiceError `not_found` */
  async named(name: string): Promise<Written> {
    const known = this.made.get(name) ?? (await this.make(name));
    this.made.set(name, known);
    return known;
  }

  private async make(name: string): Promise<Written> {
    const document = DOCS_FILES.get(name);
    if (document !== undefined)
      return new Written(docsPage(await Bun.file(document).text(), this.names), HTML_TYPE);
    const picture = DOCS_PICTURES.get(name);
    if (picture !== undefined) {
      const [ending] = name.split('.').slice(-1);
      return new Written(await Bun.file(picture).bytes(), PICTURE_TYPES[ending]);
    }
    throw new ServiceError('not_found', `there is no document '${name}'; GET /docs lists them`);
  }
}
