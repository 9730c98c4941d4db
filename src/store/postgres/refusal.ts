import { reasonOf, StartupError } from '../../errors.ts';
import { NoAnswer } from '../refusals.ts';

/** Explains PostgreSQL errors to the operator. The texts never contain the password. */

export function unreachable(url: string, error: unknown): StartupError {
  const { host, pathname } = new URL(url);
  return new StartupError(
    'database_unreachable',
    `the PostgreSQL database '${pathname.slice(1)}' at ${host} cannot be used (${reasonOf(error)})`,
    'check that the URL of the database is right and that the server accepts connections',
  );
}

/** The role lacks the right to create schemas. */
export function noSchemas(url: string): StartupError {
  const name = new URL(url).pathname.slice(1);
  return new StartupError(
    'database_unsuitable',
    `the PostgreSQL database '${name}' does not give this role the right to create the schema of wallet events`,
    `grant create on database "${name}" to the role, or name one that owns the database`,
  );
}

interface KnownError {
  code: string;
  what: string;
  remedy: string;
}

const READ_ONLY = '25006';

/** The server refuses `IS_WRITABLE` of `pool.ts`: its own transaction, which opens the session, is read-only. */
const SESSION_READ_ONLY = '25001';

const UNWRITABLE: KnownError = {
  code: 'data_unwritable',
  what: 'cannot be written',
  remedy:
    'name the primary server with --database-url, not a standby, and a database and a role whose default_transaction_read_only is off',
};

const KNOWN: Readonly<Record<string, KnownError>> = {
  [READ_ONLY]: UNWRITABLE,
  [SESSION_READ_ONLY]: UNWRITABLE,
  '42501': {
    code: 'database_unsuitable',
    what: 'does not give this role the rights that feedloom needs',
    remedy: 'name a role that owns the database, or give this one the rights that docs/operations.md lists',
  },
  '53100': {
    code: 'disk_full',
    what: 'is on a disk that is full',
    remedy: 'free some space on it and start again',
  },
};

/** SQLSTATEs of lost connections: the server stops, is starting, or has no free connection. */
const CONNECTION_ENDED = /^(08...|57P0[123]|53300)$/;

function detailsOf(error: unknown): { code: string; errno: string } {
  const { code = '', errno = '' } = (error ?? {}) as { code?: unknown; errno?: unknown };
  return { code: String(code), errno: String(errno) };
}

/** Whether a lock was not granted in time. */
export function isRefusedLock(error: unknown): boolean {
  return detailsOf(error).errno === '55P03';
}

/** Whether a write failed because the server or the transaction is read-only. */
export function isReadOnly(error: unknown): boolean {
  return detailsOf(error).errno === READ_ONLY;
}

/** Whether an error came from the server rather than from the connection. */
export function isAnswer(error: unknown): boolean {
  return detailsOf(error).errno !== '';
}

export function refusal(url: string, error: unknown): StartupError | undefined {
  const { code, errno } = detailsOf(error);
  const is_lost = code.startsWith('ERR_POSTGRES_CONNECTION') || CONNECTION_ENDED.test(errno);
  if (is_lost || error instanceof NoAnswer) return unreachable(url, error);
  const known = KNOWN[errno];
  if (known === undefined) return undefined;
  const name = new URL(url).pathname.slice(1);
  return new StartupError(
    known.code,
    `the PostgreSQL database '${name}' ${known.what} (${reasonOf(error)})`,
    known.remedy,
  );
}
