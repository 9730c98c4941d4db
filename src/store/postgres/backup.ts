import { StartupError } from '../../errors.ts';

/** Refuses, because PostgreSQL has its own tools. @throws StartupError `backup_failed` */
export function backup(): never {
  throw new StartupError(
    'backup_failed',
    'this command writes backups of the embedded database; the data is in PostgreSQL',
    'use pg_dump, which works beside a running service, and pg_restore',
  );
}
