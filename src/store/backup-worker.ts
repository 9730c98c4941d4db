import { Database } from 'bun:sqlite';
import { reasonOf } from '../errors.ts';
import type { BackupOrder, BackupReply } from './messages.ts';

declare const self: Worker;

/** How long to wait for a process that opens or closes the write-ahead log. */
const BUSY_TIMEOUT_MS = 5_000;

/** `vacuum into` leaves freed pages out of the copy. */
function write({ file, into }: BackupOrder): BackupReply {
  let database: Database | undefined;
  try {
    database = new Database(file, { readonly: true });
    database.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.run('vacuum into ?', [into]);
    return { type: 'done' };
  } catch (error) {
    return { type: 'failed', reason: reasonOf(error) };
  } finally {
    database?.close();
  }
}

self.onmessage = ({ data: order }: MessageEvent<BackupOrder>) => self.postMessage(write(order));
