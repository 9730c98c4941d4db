import { Elysia } from 'elysia';
import { ServiceError } from '../errors.ts';
import { pagePolicy } from './page-policy.ts';
import type { Written } from './written-answer.ts';

/** Pages load only their own pictures and styles, and run no scripts. */
const POLICY = pagePolicy("style-src 'unsafe-inline'", "img-src 'self' data:");

/** `GET /docs` and `GET /docs/<name>`: the documents as pages. They are loaded on the first request. */
export function docsRoutes() {
  const hidden = { detail: { hide: true } };
  return new Elysia()
    .onBeforeHandle(POLICY)
    .get('/docs', async () => (await import('./docs-pages.ts')).DOCS_LIST, hidden)
    .get('/docs/:name', ({ params: { name } }) => documentNamed(name), hidden);
}

/** @throws ServiceError `not_found` */
async function documentNamed(name: string): Promise<Written> {
  const document = (await import('./docs-pages.ts')).DOCS.get(name);
  if (document === undefined)
    throw new ServiceError('not_found', `there is no document '${name}'; GET /docs lists them`);
  return document;
}
