import type { Order } from './messages.ts';
import { PageWork } from './page-work.ts';

declare const self: Worker;

/** A page thread: one order after another, each done before it looks for the next. What fails ends it. */
function serve(): void {
  let work: PageWork | undefined;
  self.onmessage = ({ data: order }: MessageEvent<Order>) => {
    if (order.type === 'begin') {
      work = new PageWork(order);
      return;
    }
    if (work === undefined) throw new Error('the page thread has not begun');
    const reply = work.do(order);
    self.postMessage(reply, [reply.text.buffer, reply.seen.buffer]);
  };
}

serve();
