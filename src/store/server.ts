import type { ReadPool, ReadPoolName } from './read-queue.ts';

/** A database server that may stop answering. */
export interface Server {
  /** Pings the server through an otherwise idle connection. */
  ping(): Promise<unknown>;
  isAnswer(error: unknown): boolean;
  /** The pools for reads with a timeout. Other queries use other connections and have no timeout. */
  readonly pools: Readonly<Record<ReadPoolName, ReadPool>>;
}
