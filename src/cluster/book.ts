import type { ClusterBook } from '../store/postgres/cluster-book.ts';

/**
 * The lease and the list of nodes. Nodes on PostgreSQL keep them in its tables (`ClusterBook`), the processes of one
 * data folder in a lock and their memory (`FolderBook`).
 */
export type Book = Pick<
  ClusterBook,
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
