import { FollowOrders } from '../state/follow-orders.ts';
import { Follows } from '../state/follows.ts';
import { put, take } from '../state/moved.ts';
import type { FollowsOrder, FollowsReply } from './follows-apart.ts';

declare const self: Worker;

/** The thread that records follows while a long fold goes on. */
const follows = new Follows();

function obey(order: FollowsOrder): FollowsReply {
  switch (order.type) {
    case 'begin':
      put(follows, order.follows);
      return { type: 'done' };
    case 'orders':
      new FollowOrders(order.buffer, order.count).carryOut(follows);
      // Free at once, and not when garbage is next collected.
      order.buffer.transfer(0);
      return { type: 'done' };
    case 'give':
      return { type: 'follows', follows: take(follows) };
  }
}

self.onmessage = ({ data }: MessageEvent<FollowsOrder>) => {
  const reply = obey(data);
  self.postMessage(reply, reply.type === 'follows' ? reply.follows.buffers : []);
};
