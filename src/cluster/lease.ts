import type { DatabaseLease } from '../store/postgres/database-lease.ts';

/**
 * The lease and the list of nodes. Nodes on PostgreSQL keep them in its tables (`DatabaseLease`), the processes of one
 * data folder in a lock and their memory (`FolderLease`).
 */
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
