import type { Logger } from 'pino';
import type { Clock, Timers } from '../clock.ts';
import type { Lease, NodeRow } from '../store/postgres/database-lease.ts';
import type { Replicated } from './replica.ts';

export interface NodeOptions {
  lease: Lease;
  node: Omit<NodeRow, 'applied_seq'>;
  secret: string;
  timers: Timers;
  monotonicMs: () => number;
  /** Advances while the machine is suspended. */
  clock: Clock;
  log: Logger;
}

/** A community of this node. */
export interface Member extends Replicated {
  /** Starts the writer and the background work of the leader. */
  beginWriting(): Promise<void>;
}
