import { reasonOf } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { commitBatch, settledHighest } from './commit.ts';
import type { Connection } from './connection.ts';
import { behindFence, Overtaken, requireFence } from './fence.ts';
import type { Order, PurgeKind, Reply } from './messages.ts';
import { openConnection } from './open-connection.ts';
import { purgeSteps } from './purge.ts';
import { purgeRetiredSteps } from './purge-retired.ts';
import { type Steps, StillNeeded } from './purge-work.ts';
import { refusalOf } from './refusals.ts';
import { execute } from './tasks.ts';

declare const self: Worker;

const PURGES = { erased: purgeSteps, retired: purgeRetiredSteps } as const satisfies Record<
  PurgeKind,
  (connection: Connection) => Steps
>;

function outcomeOf(error: unknown): 'rolled_back' | 'overtaken' | 'needed' {
  if (error instanceof Overtaken) return 'overtaken';
  return error instanceof StillNeeded ? 'needed' : 'rolled_back';
}

/** The writer's thread. It owns the only connection that writes changes, and handles one order at a time. */
function serve(): void {
  let connection: Connection | undefined;
  let fence = '';
  let purging: Steps | undefined;
  const opened = (): Connection => {
    if (connection === undefined) throw new Error('the writer is not open');
    return connection;
  };

  const purgeStep = async (of: PurgeKind, first: boolean): Promise<Reply> => {
    await requireFence(opened().db, fence);
    if (first || purging === undefined) purging = PURGES[of](opened());
    const { done, value } = await purging.next();
    return { type: 'done', result: done ? undefined : value };
  };

  const follow = async (order: Order): Promise<Reply> => {
    switch (order.type) {
      case 'open':
        connection = await openConnection(order.location, 1);
        fence = order.fence;
        return {
          type: 'opened',
          highest_seq: await settledHighest(connection, fence, LIMITS.store_patience_seconds),
        };
      case 'write':
        return commitBatch(opened(), fence, order);
      case 'purge':
        return purgeStep(order.of, order.first);
      case 'shrink_log':
        return { type: 'done', result: opened().shrinkLog() };
      case 'task':
        return {
          type: 'done',
          result: await behindFence(opened(), fence, (transaction) =>
            execute(order.name, order.input, transaction, opened()),
          ),
        };
      case 'close':
        await opened().close();
        return { type: 'done' };
    }
  };

  self.onmessage = async (event: MessageEvent<Order>) => {
    try {
      self.postMessage(await follow(event.data));
    } catch (error) {
      self.postMessage({
        type: 'failed',
        outcome: outcomeOf(error),
        reason: reasonOf(error),
        refusal: refusalOf(error),
      } satisfies Reply);
    }
  };
}

serve();
