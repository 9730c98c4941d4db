import { Elysia } from 'elysia';
import styles from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
// The files are named by imports, so that the executable carries them along.
import bundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Feedloom API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/swagger/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/swagger/swagger-ui-bundle.js"></script>
    <script src="/swagger/start.js"></script>
  </body>
</html>
`;

/** The key is kept in the page's memory only, and nothing is asked of any other host. */
const START = `SwaggerUIBundle({
  url: '/swagger/json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  // Coloured, an answer of 500 items is 95,000 elements and holds the browser up for seconds.
  syntaxHighlight: { activated: false },
});
`;

/** What the page may load: nothing from elsewhere. Swagger UI writes styles into its elements. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * `GET /swagger` and `GET /swagger/json`: the API's description, as a page and for programs.
 * @param document of the API; its text is kept, since routes and plugins stay as they are
 */
export function swaggerRoutes(document: () => object) {
  let described: Uint8Array<ArrayBuffer> | undefined;
  const hidden = { detail: { hide: true } };
  return new Elysia()
    .get('/swagger', () => file(PAGE, 'text/html; charset=utf-8'), hidden)
    .get(
      '/swagger/json',
      () => {
        described ??= new TextEncoder().encode(JSON.stringify(document()));
        return new Response(described, { headers: { 'content-type': 'application/json;charset=utf-8' } });
      },
      hidden,
    )
    .get('/swagger/start.js', () => file(START, 'text/javascript; charset=utf-8'), hidden)
    .get('/swagger/swagger-ui.css', () => file(Bun.file(styles), 'text/css; charset=utf-8'), hidden)
    .get(
      '/swagger/swagger-ui-bundle.js',
      () => file(Bun.file(bundle), 'text/javascript; charset=utf-8'),
      hidden,
    );
}

function file(content: string | Blob, type: string): Response {
  return new Response(content, {
    headers: { 'content-type': type, 'content-security-policy': POLICY },
  });
}
