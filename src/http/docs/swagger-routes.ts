import styles from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
// Imported as files so that the executable contains them.
import bundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import { HTML_TYPE, pagePolicy, pages, SCRIPT_TYPE, STYLES_TYPE } from '../transport/pages.ts';
import type { Route } from '../transport/route.ts';
import { Written } from '../transport/written-answer.ts';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Feedloom API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="swagger/swagger-ui.css">
    <link rel="stylesheet" href="swagger/narrow.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="swagger/swagger-ui-bundle.js"></script>
    <script src="swagger/start.js"></script>
  </body>
</html>
`;

/** Swagger UI lays out tables for wide windows. On phones, cells are stacked and lines wrap. */
const NARROW = `@media (max-width: 700px) {
  .swagger-ui .wrapper { padding: 0 10px; }
  .swagger-ui .info { margin: 20px 0; }
  .swagger-ui .scheme-container { padding: 15px 0; }
  .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; gap: 8px; padding: 8px 10px; }
  .swagger-ui .opblock .opblock-section-header > label { margin: 0; }
  .swagger-ui .opblock-description-wrapper,
  .swagger-ui .opblock-external-docs-wrapper,
  .swagger-ui .opblock-title_normal,
  .swagger-ui .opblock .parameters-container,
  .swagger-ui .responses-inner { padding: 10px; }
  .swagger-ui .execute-wrapper { padding: 10px; }
  .swagger-ui table.responses-table,
  .swagger-ui table.responses-table > tbody,
  .swagger-ui table.responses-table > tbody > tr,
  .swagger-ui table.responses-table > tbody > tr > td,
  .swagger-ui table.parameters,
  .swagger-ui table.parameters > tbody,
  .swagger-ui table.parameters > tbody > tr,
  .swagger-ui table.parameters > tbody > tr > td { display: block; width: auto; max-width: none; min-width: 0; padding: 4px 0; }
  .swagger-ui table.responses-table > thead,
  .swagger-ui table.parameters > thead,
  .swagger-ui .response-col_links { display: none; }
  .swagger-ui .response-col_status { font-weight: bold; }
  .swagger-ui table.responses-table > tbody > tr > td.response-col_links { display: none; }
  .swagger-ui .parameters input[type="text"],
  .swagger-ui .parameters select,
  .swagger-ui textarea,
  .swagger-ui select { width: 100%; max-width: 100%; min-width: 0; }
  .swagger-ui .renderedMarkdown code,
  .swagger-ui .opblock-summary-path,
  .swagger-ui .request-url,
  .swagger-ui pre { overflow-wrap: anywhere; white-space: pre-wrap; word-break: normal; }
  .swagger-ui table.headers { table-layout: fixed; width: 100%; }
  .swagger-ui table.headers td { overflow-wrap: anywhere; padding-right: 8px; }
  .swagger-ui .model-box { max-width: 100%; overflow-x: auto; }
  .swagger-ui .dialog-ux .modal-ux { min-width: 0; width: calc(100vw - 20px); }
  .swagger-ui .auth-container input { width: 100%; min-width: 0; }
}
`;

/** The key stays in the page's memory, and no other host is contacted. */
const START = `SwaggerUIBundle({
  url: 'swagger/json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  // With highlighting, an answer of 500 items creates 95,000 elements and blocks the browser for seconds.
  syntaxHighlight: { activated: false },
});
`;

/** The page loads nothing from other hosts. Swagger UI writes inline styles. */
const POLICY = pagePolicy(
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
);

/**
 * `GET /swagger` and `GET /swagger/json`: the API's description, as a page and as JSON.
 * @param document builds the document; its text is cached, since routes and plugins do not change
 */
export function swaggerRoutes(document: () => Promise<object>): Route[] {
  return pages(POLICY, {
    '/swagger': () => new Written(PAGE, HTML_TYPE),
    '/swagger/json': once(async () => new Written(UTF8.encode(JSON.stringify(await document())))),
    '/swagger/narrow.css': () => new Written(NARROW, STYLES_TYPE),
    '/swagger/start.js': () => new Written(START, SCRIPT_TYPE),
    '/swagger/swagger-ui.css': once(async () => new Written(await Bun.file(styles).bytes(), STYLES_TYPE)),
    '/swagger/swagger-ui-bundle.js': once(
      async () => new Written(await Bun.file(bundle).bytes(), SCRIPT_TYPE),
    ),
  });
}

const UTF8 = new TextEncoder();

/** Remembers the answer. A failure is not remembered. */
function once(make: () => Promise<Written>): () => Promise<Written> {
  let made: Written | undefined;
  return async () => {
    made ??= await make();
    return made;
  };
}
