import type { BrowserFiles } from '../../console/build.ts';
import { browserFiles } from '../../console/files.ts';
import type { Settings } from '../../settings.ts';
import { HTML_TYPE, pagePolicy, pages, SCRIPT_TYPE, STYLES_TYPE } from '../transport/pages.ts';
import type { Route } from '../transport/route.ts';
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

const FOUND = 302;

/**
 * `GET /console`: the web console. `GET /` leads there.
 * @param base_path the prefix that the proxy passes on. Without one the address is relative, because a proxy may have
 * taken a prefix off.
 */
export function consoleRoutes({ base_path }: Pick<Settings, 'base_path'>): Route[] {
  let files: Promise<BrowserFiles> | undefined;
  const built = (): Promise<BrowserFiles> => {
    files ??= browserFiles('console');
    return files;
  };
  return pages(POLICY, {
    '/': ({ set }) => {
      set.status = FOUND;
      set.headers.location = base_path === undefined ? 'console' : `${base_path}/console`;
      return '';
    },
    '/console': () => new Written(PAGE, HTML_TYPE),
    '/console/console.js': async () => new Written((await built()).script, SCRIPT_TYPE),
    '/console/console.css': async () => new Written((await built()).styles, STYLES_TYPE),
  });
}
