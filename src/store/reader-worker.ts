import { reasonOf } from '../errors.ts';
import { buffersOf } from './batch.ts';
import type { Connection } from './connection.ts';
import type { ReaderOrder, ReaderReply } from './messages.ts';
import { openConnection } from './open-connection.ts';
import { refusalOf } from './refusals.ts';
import { RowReader } from './row-reader.ts';

declare const self: Worker;

function failure(error: unknown, connection: Connection | undefined): ReaderReply {
  const refusal = refusalOf(error) ?? refusalOf(connection?.refusal(error));
  return { type: 'failed', reason: reasonOf(error), refusal };
}

/** The reader's thread. It reads all rows from one snapshot of the data and handles one order at a time. */
function serve(): void {
  let reader: RowReader | undefined;
  let connection: Connection | undefined;
  let end = (): void => {};
  let ended: Promise<void> = Promise.resolve();

  /** Resolves when the reader is open. The snapshot is that of its first read and lasts until `end`. */
  const open = (connection: Connection, order: Extract<ReaderOrder, { type: 'open' }>): Promise<void> => {
    const { promise: standing, resolve: stands, reject } = Promise.withResolvers<void>();
    const { promise: over, resolve } = Promise.withResolvers<void>();
    end = resolve;
    ended = connection
      .snapshot((read) => {
        reader = new RowReader(connection.db, read, order.range);
        stands();
        return over;
      })
      .finally(() => connection.close());
    ended.catch(reject);
    return standing;
  };

  const execute = async (order: ReaderOrder): Promise<ReaderReply> => {
    switch (order.type) {
      case 'open':
        connection = await openConnection(order.location, 1);
        await open(connection, order);
        return { type: 'done' };
      case 'next':
        if (reader === undefined) throw new Error('the reader is not open');
        return { type: 'rows', chunk: await reader.next(order.table) };
      case 'close':
        end();
        await ended;
        return { type: 'done' };
    }
  };

  let before: Promise<void> = Promise.resolve();
  self.onmessage = ({ data: order }: MessageEvent<ReaderOrder>) => {
    before = before.then(async () => {
      try {
        const reply = await execute(order);
        if (reply.type === 'rows') self.postMessage(reply, buffersOf([reply.chunk]));
        else self.postMessage(reply);
      } catch (error) {
        self.postMessage(failure(error, connection));
      }
    });
  };
}

serve();
