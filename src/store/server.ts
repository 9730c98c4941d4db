import type { ReadLane, ReadPool } from './read-queue.ts';

/** A server that may fall silent. */
export interface Server {
  /** Asks for nothing but an answer, by a connection on which nothing else is waited for. */
  look(): Promise<unknown>;
  /** Whether an error came from the server, and not from the way to it. */
  isAnswer(error: unknown): boolean;
  /** By which it is read for those who wait, and nothing else: what others do takes as long as it takes. */
  readonly pools: Readonly<Record<ReadLane, ReadPool>>;
}
