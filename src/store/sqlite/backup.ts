import type { BackupOrder, BackupReply } from '../messages.ts';
import { ThreadLink } from '../thread-link.ts';

/**
 * Writes a consistent copy of a database to a new file, while other connections read and write.
 *
 * It runs on a thread, because a large database takes minutes and this process must still handle signals.
 * @param file both are paths
 */
export async function backup(file: string, into: string): Promise<void> {
  const link = new ThreadLink<BackupOrder, BackupReply>('store/backup-worker', 'the backup');
  try {
    const reply = await link.request({ file, into });
    if (reply.type === 'failed') throw new Error(reply.reason);
  } finally {
    link.terminate();
  }
}
