import type { NodeRow, SeenNode } from '../store/postgres/database-lease.ts';

/**
 * The environment variable that makes a process one of several. Its value is a `Membership` as JSON.
 *
 * It holds the secret of the processes, which must not be on a command line: every account can read those.
 */
export const MEMBER_VARIABLE = 'FEEDLOOM_MEMBER';

/** What the supervisor tells a process at its start. */
export interface Membership {
  process: number;
  processes: number;
  /** By which the processes know each other. */
  secret: string;
  /** The socket on which the other processes call this one. Absent if there are nodes on other machines. */
  socket?: string;
  /** Whether it is the first process of all. It opens the data alone, and chooses the ports that are 0. */
  first: boolean;
  ports?: Ports;
}

export interface Ports {
  port: number;
  metrics_port?: number;
}

/** What a process tells the supervisor. */
export type Report =
  /** The process is a node. Sent once a second. */
  | { type: 'node'; node: NodeRow; leads: boolean }
  /** The process is no node any more: it stops or loads its state again. */
  | { type: 'left' }
  /** The state is loaded, and requests are served. */
  | { type: 'serves'; address: string; ports: Ports };

/** A process as the others see it. */
export interface SeenProcess {
  process: number;
  /** How often it was started. */
  starts: number;
  /** Absent while it does not run or loads its state. */
  node?: SeenNode;
}

/** What the supervisor tells all processes. */
export interface News {
  processes: SeenProcess[];
  /** Log lines that the supervisor could not write. */
  log_lines_lost: number;
  /** The processes stop soon: they serve, but `/readyz` answers 503. */
  draining: boolean;
}
