import { swagger } from '@elysiajs/swagger';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import pkg from '../../../package.json';
import type { Registry } from '../../registry/registry.ts';
import type { Route } from '../transport/route.ts';
import { TAGS } from './docs.ts';
import { operationOf } from './operation.ts';
import { pluginSchemas } from './plugin-schemas.ts';
import { problemExamples } from './problem-schemas.ts';
import { Components } from './schema.ts';

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, unknown>;
  components: Record<string, unknown>;
  [field: string]: unknown;
}

const DESCRIPTION = `
Turns a stream of posts, follows and interactions into ranked feeds.

**Keys.** Send a key as \`Authorization: Bearer <key>\`, \`Authorization: Basic <key>\` (plain, or as the password of
the usual base64 form) or \`x-api-key: <key>\`, which counts when \`Authorization\` holds no known key. Apps and web pages send a viewer token (\`POST /api/tokens\`) instead of a key.

**Paths.** \`/v2/community/…\` is the same on every service. \`/v2/<network>/…\`, with the network that the service serves
(\`GET /api/session\` returns its name), and \`casts/feed\` for \`feeds\` mean the same.

**Identifiers** are strings of 1 to 256 characters. The service does not interpret them. Identifiers of users, items and apps
(\`user_id\`, \`item_id\`, \`app_fid\` and so on) may also be integers up to 2^53-1, which are the same as their decimal text.

**Times** in requests are seconds since the Unix epoch, or ISO 8601 as databases and languages write it (\`2026-11-19T10:00:00Z\`,
\`2026-11-19 10:00:00.123+00\`, \`2026-11-19 10:00:00 UTC\`); without a zone they are UTC. Milliseconds and finer units are
refused. Times in answers are integer seconds.

**\`null\`** as the value of an object's field means that the field is absent. In a list it is refused. Only a feed's
\`short_name\` and values inside the \`metadata\` of items and users may be null.

**Bodies** must be uncompressed: a request with \`content-encoding\` is refused.

**Errors** are problem details (RFC 9457) with a stable \`code\`. \`errors\` lists every fault of a validation. Every answer,
including errors, has the header \`x-request-id\`. The log contains the same id.
`.trim();

/**
 * Builds the OpenAPI 3.1 document from the routes, in their order, and the option schemas of the loaded plugins.
 *
 * `@elysiajs/swagger` collects the operations but leaves named schemas inline; they are moved to `components` here.
 * @param server_url base of the paths
 */
export async function openApiDocument(
  routes: readonly Route[],
  registry: Registry,
  server_url = '/',
): Promise<OpenApiDocument> {
  const { paths: operations } = await collected(routes);
  const components = new Components();
  const paths = Object.fromEntries(
    Object.entries(operations).map(([path, by_method]) => [path, components.within(by_method)]),
  );
  for (const schema of pluginSchemas(registry)) components.schema(schema);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Feedloom',
      version: pkg.version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server_url, description: 'This service.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: sorted(components.schemas),
      examples: problemExamples(),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/**
 * Collects the operations with `@elysiajs/swagger`. The plugin runs in a separate application, because its page loads
 * scripts from another host and must not be served.
 */
async function collected(routes: readonly Route[]): Promise<OpenApiDocument> {
  const described = new Elysia();
  for (const route of routes) {
    const { method, path, documented } = route;
    if (documented !== undefined)
      described.route(method, path, '', { detail: operationOf(route, documented) });
  }
  described.use(swagger({ path: '/page', specPath: '/document', excludeStaticFile: false }));
  const answer = await described.handle(new Request('http://localhost/document'));
  return (await answer.json()) as OpenApiDocument;
}

const HEADERS = {
  'x-request-id': {
    description: 'Identifies this request; the log contains the same id.',
    schema: Type.String({ format: 'uuid' }),
  },
  'retry-after': {
    description: 'Seconds to wait before the next try.',
    schema: Type.Integer({ minimum: 0 }),
  },
  'www-authenticate': {
    description: 'The accepted ways to send a key.',
    schema: Type.String({ example: 'Bearer realm="feedloom"' }),
  },
};

/** Swagger UI opens its form at the last scheme, so `bearer` comes last: all documents use it. */
const SECURITY_SCHEMES = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: '`Authorization: Basic …` with any user name and the key as password',
  },
  api_key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: '`x-api-key: <key>`' },
  bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <key>`' },
};

function sorted<T>(by_name: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(by_name).sort(([one], [other]) => (one < other ? -1 : 1)));
}
