import { reasonOf, ServiceError, StartupError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

/** The errors by which the store refuses; to those who send requests none says more than when to try again. */

const RETRY_AFTER_SECONDS = 5;

/** A StartupError as plain data, which threads send to each other. */
export interface Refusal {
  code: string;
  message: string;
  remedy?: string;
}

/** The store did not answer in time. */
export class NoAnswer extends Error {
  constructor() {
    super(`the store has not answered for ${LIMITS.store_patience_seconds} s`);
  }
}

export function unavailable(cause: unknown): ServiceError {
  const detail = 'the store cannot be written at the moment; nothing of this request was acknowledged';
  return new ServiceError('store_unavailable', detail, undefined, RETRY_AFTER_SECONDS, { cause });
}

/** The store has not answered for long, and nobody knows when it will. */
export function silent(): ServiceError {
  return unavailable(new NoAnswer());
}

export function unreadable(cause: unknown): ServiceError {
  const detail = 'the store cannot be read at the moment; send again later';
  return new ServiceError('store_unavailable', detail, undefined, RETRY_AFTER_SECONDS, { cause });
}

export function queueFull(queued: number): ServiceError {
  const detail = `${queued} records are waiting to be written; send again later`;
  return new ServiceError('write_queue_full', detail, undefined, 1);
}

export function shuttingDown(): ServiceError {
  const detail = 'the service is shutting down; send again later';
  return new ServiceError('shutting_down', detail, undefined, RETRY_AFTER_SECONDS);
}

/** To whoever starts the process: what it has read is not what it would write to. @param how what another has done */
export function takenOver(how = 'has taken the data over'): StartupError {
  return new StartupError(
    'data_taken_over',
    `another process ${how} while this one was reading`,
    'let that process run, or stop it and start again',
  );
}

/** To whoever starts the process: the writer's thread could not begin. */
export function notBegun(reason: string): StartupError {
  return new StartupError(
    'writer_failed',
    `the data could be read, but nothing can be written (${reason})`,
    'put right what the reason names and start again',
  );
}

/** Never with the URL, which may hold a password. */
export function noData({ data, database_url }: { data: string; database_url?: string }): StartupError {
  const where = database_url === undefined ? `the folder '${data}'` : 'that PostgreSQL database';
  return new StartupError(
    'no_data',
    `there is no data of feedloom in ${where}`,
    'name the right one with --data or --database-url; the first start of the service creates it',
  );
}

/** To whoever starts the process: what is in the data folder cannot even be looked for. */
export function mayNotBeRead(data: string, error: unknown): StartupError {
  return new StartupError(
    'data_unreadable',
    `the data folder '${data}' may not be read (${reasonOf(error)})`,
    'let this user read and write the folder, or name another one with --data',
  );
}

/** To whoever starts the process: what is stored is damaged, or its reading failed. */
export function cannotBeRead(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  return new StartupError(
    'data_unreadable',
    `what is stored cannot be read (${reasonOf(error)})`,
    'put right what the reason names and start again, or restore the data from a backup',
  );
}

/** To whoever runs a command: the data did not do what was asked of it. */
export function failed(error: unknown): StartupError {
  return new StartupError(
    'store_failed',
    `the data cannot be used (${reasonOf(error)})`,
    'put right what the reason names and try again',
  );
}

/** What a thread sends of a StartupError; undefined for other errors. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof StartupError)) return undefined;
  return { code: error.code, message: error.message, remedy: error.remedy };
}

/** What a thread failed with. */
export function errorOf({ reason, refusal }: { reason: string; refusal?: Refusal }): Error {
  return refusal === undefined
    ? new Error(reason)
    : new StartupError(refusal.code, refusal.message, refusal.remedy);
}
