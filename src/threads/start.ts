import { availableParallelism } from 'node:os';
import { systemTimers } from '../clock.ts';
import { DEFAULT_RANKINGS } from '../feed/compile-feed.ts';
import type { Service } from '../service.ts';
import { PageThreads } from './page-threads.ts';

/** More would wait for memory, and for each other whenever something changes. */
const THREADS_MAX = 3;
/** Cores that the serving thread takes, and that the writer, the engine's own threads and the system need. */
const OTHER_CORES = 2;

/** Threads where nobody has said how many. @param cores of the machine */
export function threadsFor(cores: number): number {
  return Math.max(0, Math.min(THREADS_MAX, cores - OTHER_CORES));
}

/**
 * Has for-you pages built on further threads from now on, as the settings say. Not where pages must be repeatable (`derived_lag_ms`
 * 0), as what is derived differs from thread to thread, nor beside third parties' plugins, which run once.
 * @returns undefined: there are none
 */
export function startPageThreads(service: Service): PageThreads | undefined {
  const { settings, feeds, saved_feeds, clock, registry, load, log } = service;
  const { page_threads = threadsFor(availableParallelism()), derived_lag_ms } = settings;
  if (page_threads === 0 || derived_lag_ms === 0 || registry.plugins().size > 0) return undefined;
  const threads = new PageThreads({
    threads: page_threads,
    settings,
    rankings: DEFAULT_RANKINGS,
    shared: feeds.shared,
    saved_feeds,
    meter: feeds.meter,
    clock,
    timers: systemTimers,
    effort: () => load.effort,
    log,
    onFree: () => feeds.wake(),
  });
  feeds.buildElsewhere(threads);
  return threads;
}
