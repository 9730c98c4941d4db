import { type Static, Type } from 'feedloom/plugin';
import type { ClientConfig } from 'pg';

const CONNECT_MS = 10_000;

const NAME = { pattern: '^[a-z_][a-z0-9_]*$', maxLength: 63, default: 'feedloom', is_secret: false };

export const OPTIONS = Type.Object(
  {
    url: Type.String({
      pattern: '^postgres(ql)?://.',
      maxLength: 2048,
      description: 'the address of the database, best as url_env=NAME; not that of a pooler',
    }),
    map: Type.String({
      minLength: 1,
      maxLength: 1024,
      is_secret: false,
      description: 'a file with a line for each table, as `feedloom import --map-file` takes it',
    }),
    slot: Type.String({ ...NAME, description: 'the replication slot' }),
    publication: Type.String({ ...NAME, description: 'the publication of the tables' }),
    truncate: Type.Union([Type.Literal('keep'), Type.Literal('delete')], {
      default: 'keep',
      is_secret: false,
      description: 'what becomes of the records of a table that TRUNCATE empties',
    }),
    warn_mb: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1024,
      description: 'warns when the server keeps more megabytes of its log for the slot',
    }),
  },
  {
    additionalProperties: false,
    examples: [{ url: 'postgres://reader:password@db.example:5432/forum', map: 'maps.txt' }],
  },
);

export type Options = Static<typeof OPTIONS>;

/**
 * `sslmode` means what it means to PostgreSQL's own programs.
 * @throws Error without the address
 */
export function configOf(url: string): ClientConfig {
  const address = URL.parse(url);
  if (address === null || address.hash !== '')
    throw new Error(
      'url cannot be read: in a name or password, characters such as @ / # : % are written as %40 %2F %23 %3A %25',
    );
  if (address.searchParams.has('sslmode')) address.searchParams.set('uselibpqcompat', 'true');
  return {
    connectionString: address.href,
    application_name: 'feedloom',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  };
}
