import { Elysia } from 'elysia';
import type { BrowserFiles } from '../../console/build.ts';
import { browserFiles } from '../../console/files.ts';
import { pagePolicy } from '../transport/page-policy.ts';
import { Written } from '../transport/written-answer.ts';

/** URLs are relative to `/console`, so they work behind any path prefix. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Feedloom</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="console/console.css">
    <script type="module" src="console/console.js"></script>
  </head>
  <body>
    <div id="app"></div>
    <noscript>The console needs JavaScript.</noscript>
  </body>
</html>
`;

/** The page runs its own script alone. Pictures of posts come from anywhere, after a click. */
const POLICY = pagePolicy(
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob: https: http:",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
);

const HTML_TYPE = 'text/html; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const STYLES_TYPE = 'text/css; charset=utf-8';
const FOUND = 302;

/**
 * `GET /console`: the web console. `GET /` leads there.
 * @param base_path the prefix that the proxy passes on. Without one the address is relative, because a proxy may have
 * taken a prefix off.
 */
export function consoleRoutes(base_path: string | undefined) {
  const hidden = { detail: { hide: true } };
  let files: Promise<BrowserFiles> | undefined;
  const built = (): Promise<BrowserFiles> => {
    files ??= browserFiles('console');
    return files;
  };
  return new Elysia()
    .onBeforeHandle(POLICY)
    .get(
      '/',
      ({ set }) => {
        set.status = FOUND;
        set.headers.location = base_path === undefined ? 'console' : `${base_path}/console`;
        return '';
      },
      hidden,
    )
    .get('/console', () => new Written(PAGE, HTML_TYPE), hidden)
    .get('/console/console.js', async () => new Written((await built()).script, SCRIPT_TYPE), hidden)
    .get('/console/console.css', async () => new Written((await built()).styles, STYLES_TYPE), hidden);
}
