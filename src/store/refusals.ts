import { reasonOf, ServiceError, StartupError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

/** The errors of the store. Errors for clients say no more than when to try again. */

const RETRY_AFTER_SECONDS = 5;

/** A StartupError as plain data, to send between threads. */
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

/** Another node writes the data. */
export function writtenElsewhere(): ServiceError {
  const detail =
    'another node writes the data, and this request reached a node that follows; send again later';
  return new ServiceError('store_unavailable', detail, undefined, RETRY_AFTER_SECONDS);
}

/** The store has been silent for long and may stay so. */
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

/** The data changed after this process read it. @param how what another process did */
export function takenOver(how = 'has taken the data over'): StartupError {
  return new StartupError(
    'data_taken_over',
    `another process ${how} while this one was reading`,
    'let that process run, or stop it and start again',
  );
}

export function notBegun(reason: string): StartupError {
  return new StartupError(
    'writer_failed',
    `the data could be read, but nothing can be written (${reason})`,
    'fix the cause and start again',
  );
}

/** The message never contains the URL, which may hold a password. */
export function noData({ data, database_url }: { data: string; database_url?: string }): StartupError {
  const where = database_url === undefined ? `the folder '${data}'` : 'that PostgreSQL database';
  return new StartupError(
    'no_data',
    `there is no data of feedloom in ${where}`,
    'name the right one with --data or --database-url; the first start of the service creates it',
  );
}

export function unreadableFolder(data: string, error: unknown): StartupError {
  return new StartupError(
    'data_unreadable',
    `the data folder '${data}' may not be read (${reasonOf(error)})`,
    'let this user read and write the folder, or name another one with --data',
  );
}

export function cannotBeRead(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  return new StartupError(
    'data_unreadable',
    `the stored data cannot be read (${reasonOf(error)})`,
    'fix the cause and start again, or restore the data from a backup',
  );
}

export function failed(error: unknown): StartupError {
  return new StartupError(
    'store_failed',
    `the data cannot be used (${reasonOf(error)})`,
    'fix the cause and try again',
  );
}

export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof StartupError)) return undefined;
  return { code: error.code, message: error.message, remedy: error.remedy };
}

/** The error that a thread reported. */
export function errorOf({ reason, refusal }: { reason: string; refusal?: Refusal }): Error {
  return refusal === undefined
    ? new Error(reason)
    : new StartupError(refusal.code, refusal.message, refusal.remedy);
}
