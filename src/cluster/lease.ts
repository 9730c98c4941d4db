import type { DatabaseLease } from '../store/postgres/database-lease.ts';

/** The lease and the list of nodes, which are in the tables of the database. */
export type Lease = Pick<
  DatabaseLease,
  | 'take'
  | 'renew'
  | 'requireLease'
  | 'release'
  | 'changeTables'
  | 'join'
  | 'seen'
  | 'left'
  | 'nodes'
  | 'hasWallets'
  | 'close'
>;
