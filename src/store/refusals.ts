import { ServiceError } from '../errors.ts';

/** The errors by which the store refuses; none says more than when to try again. */

const RETRY_AFTER_SECONDS = 5;

export function unavailable(cause: unknown): ServiceError {
  const detail = 'the store cannot be written at the moment; nothing of this request was acknowledged';
  return new ServiceError('store_unavailable', detail, undefined, RETRY_AFTER_SECONDS, { cause });
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
