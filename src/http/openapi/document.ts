import { swagger } from '@elysiajs/swagger';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import pkg from '../../../package.json';
import type { Registry } from '../../registry/registry.ts';
import { problemExamples } from '../schemas/problem.ts';
import { TAGS } from './operation.ts';
import { pluginSchemas } from './plugin-schemas.ts';
import { Components } from './schema.ts';

/** A route of the application, as far as its documentation goes. */
export interface DocumentedRoute {
  method: string;
  /** Parameters are written `:name`. */
  path: string;
  hooks: { detail?: { hide?: boolean } };
}

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, unknown>;
  components: Record<string, unknown>;
  [field: string]: unknown;
}

const DESCRIPTION = `
Turns a stream of posts, follows and interactions into ranked feeds.

**Keys.** Send one as \`Authorization: Bearer <key>\`, \`Authorization: Basic <key>\` (as it is, or as the
password of the usual base64 form) or \`x-api-key: <key>\`. Apps and pages send a viewer token (\`POST /api/tokens\`) in the place of a key.

**Identifiers** are texts of 1 to 256 characters and never interpreted. Those of users, items and apps (\`user_id\`, \`item_id\`,
\`app_fid\` and so on) may also be integers up to 2^53-1, which count as their decimal text.

**Times** in requests are seconds since the Unix epoch, or ISO 8601 as databases and languages write it (\`2026-11-19T10:00:00Z\`,
\`2026-11-19 10:00:00.123+00\`, \`2026-11-19 10:00:00 UTC\`); without a zone they are UTC. Milliseconds and finer units are
refused. In answers times are integer seconds.

**\`null\`** as a member of an object counts as not given; in a list it is refused. Only a feed's \`short_name\` and what is within
the \`metadata\` of items and users may be null.

**Bodies** are sent as they are: compressed ones (\`content-encoding\`) are refused.

**Errors** are problem details (RFC 9457) with a stable \`code\`; \`errors\` lists every fault of a validation. Every answer, errors included, carries
\`x-request-id\`, which the log has too.
`.trim();

/**
 * The OpenAPI 3.1 document: what every route says of itself, in the routes' order, and the options of the loaded plugins.
 * `@elysiajs/swagger` collects the operations. Here named schemas are taken out of them, which it leaves where they are.
 * @param server_url where the paths begin
 */
export async function openApiDocument(
  routes: readonly DocumentedRoute[],
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
    servers: [{ url: server_url, description: 'The service that serves this page.' }],
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
 * What `@elysiajs/swagger` says of the routes. It has an application of its own: its page, which loads scripts from
 * elsewhere, is not to be served.
 */
async function collected(routes: readonly DocumentedRoute[]): Promise<OpenApiDocument> {
  const described = new Elysia();
  for (const { method, path, hooks } of routes) {
    if (hooks.detail === undefined || hooks.detail.hide === true) continue;
    described.route(method, path, '', { detail: hooks.detail });
  }
  described.use(swagger({ path: '/page', specPath: '/document', excludeStaticFile: false }));
  const answer = await described.handle(new Request('http://localhost/document'));
  return (await answer.json()) as OpenApiDocument;
}

const HEADERS = {
  'x-request-id': {
    description: 'Names this request; the log has it too.',
    schema: Type.String({ format: 'uuid' }),
  },
  'retry-after': {
    description: 'Seconds after which to try again.',
    schema: Type.Integer({ minimum: 0 }),
  },
  'www-authenticate': {
    description: 'How to send a key.',
    schema: Type.String({ example: 'Bearer realm="feedloom"' }),
  },
};

/** Swagger UI opens its form at the last one's field: that is the way that all texts show. */
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
