import { StartupError } from '../../errors.ts';

/** A server has a tool of its own, which is better at it. @throws StartupError `backup_failed`, saying so */
export function backup(): never {
  throw new StartupError(
    'backup_failed',
    'this command writes backups of the embedded database; the data is in PostgreSQL',
    'use pg_dump, which works beside a running service, and pg_restore',
  );
}
