import type { BackupOrder, BackupReply } from '../messages.ts';
import { ThreadLink } from '../thread-link.ts';

/**
 * Writes a database as it is at one moment into a new file, while others read and write it. It is a thread's work: a large
 * database takes minutes, in which this process is to hear of signals.
 * @param file both as paths
 */
export async function backup(file: string, into: string): Promise<void> {
  const link = new ThreadLink<BackupOrder, BackupReply>('store/backup-worker', 'the backup');
  try {
    const reply = await link.ask({ file, into });
    if (reply.type === 'failed') throw new Error(reply.reason);
  } finally {
    link.terminate();
  }
}
