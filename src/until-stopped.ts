/**
 * Awaits `work`, or rejects with the reason of `stopping` as soon as that is aborted.
 *
 * `letGo` then receives a late result of the work, to release it.
 */
export async function untilStopped<T>(
  work: Promise<T>,
  stopping: AbortSignal | undefined,
  letGo: (late: T) => unknown = () => {},
): Promise<T> {
  if (stopping === undefined) return work;
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => {
    reject(stopping.reason);
    work.then(letGo).catch(() => {});
  };
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  try {
    return await Promise.race([work, stopped]);
  } finally {
    stopping.removeEventListener('abort', stop);
  }
}
