import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What is called when the work that runs in it has an answer of another service, or a connection to one: by
 * `fetchBounded` and `openSocket`.
 */
export const WHEN_REACHED = new AsyncLocalStorage<() => void>();
