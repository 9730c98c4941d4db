import type { FeedType } from '../plugin/index.ts';
import type { JsonText } from './json-bytes.ts';
import type { FeedRequest } from './resolve-feed.ts';

/** A page that is to be answered as text. */
export interface TextOrder {
  feed_type: FeedType;
  request: FeedRequest;
  viewer_id: string | undefined;
  /** Of the request, before those of the page. */
  warnings: readonly string[];
}

/** How an order comes to its end; each is called at most once, and synchronously with the page. */
export interface OrderEnds<T> {
  /** Builds the page on this thread. */
  here(): T;
  /**
   * It was built elsewhere, after it was ordered.
   * @param seen keys of the items of the page that its viewer is to have seen
   */
  built(answer: JsonText, seen: Uint32Array<ArrayBuffer>): T;
}

/** Whoever builds pages beside this thread, from the same memory. */
export interface PagesElsewhere {
  /** Whether it would build such a page; what it does not is built here. */
  takes(order: TextOrder): boolean;
  /** @throws what building the page throws */
  build<T>(order: TextOrder, ends: OrderEnds<T>): Promise<T>;
  /** Threads that build, and pages that they have built so far. */
  readonly figures: { threads: number; pages: number };
  /** Pages are being built: nothing that they read may change, but as of `exclusively`. */
  readonly reading: boolean;
  /** Runs a change of what pages are built of while none is being built, and with what that throws. */
  exclusively(run: () => void): void;
  /** No further pages are taken; resolves when the last is built. */
  stop(): Promise<void>;
}
