import type { BrowserFiles } from '../../console/build.ts';
import { browserFiles } from '../../console/files.ts';
import { ServiceError } from '../../errors.ts';
import { pagePolicy, pages, SCRIPT_TYPE, STYLES_TYPE } from '../transport/pages.ts';
import type { Head, Route } from '../transport/route.ts';
import { Written } from '../transport/written-answer.ts';

/** Pages load only what the service has. */
const POLICY = pagePolicy(
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
);

/**
 * `GET /docs` and `GET /docs/<name>`: the documents as pages, their script and style sheet. They are loaded on the
 * first request.
 */
export function docsRoutes(): Route[] {
  let files: Promise<BrowserFiles> | undefined;
  const built = (): Promise<BrowserFiles> => {
    files ??= browserFiles('site');
    return files;
  };
  return pages(POLICY, {
    '/docs': async () => (await import('./docs-pages.ts')).DOCS_LIST,
    '/docs/site.js': async () => new Written((await built()).script, SCRIPT_TYPE),
    '/docs/site.css': async () => new Written((await built()).styles, STYLES_TYPE),
    '/docs/:name': ({ params: { name }, set }) => documentNamed(name, set),
  });
}

/** A document. The name of its file leads to it. @throws ServiceError `not_found` */
async function documentNamed(name: string, set: Head): Promise<Written | string> {
  const { DOCS } = await import('./docs-pages.ts');
  const document = DOCS.get(name);
  const of_file = name.toLowerCase().replace(/\.md$/, '');
  if (document === undefined && DOCS.has(of_file)) {
    set.status = 302;
    // Relative, because a proxy may serve the pages below a path.
    set.headers.location = of_file;
    return '';
  }
  if (document === undefined)
    throw new ServiceError('not_found', `there is no document '${name}'; GET /docs lists them`);
  return document;
}
