import type { Server } from 'bun';

/** A substitute for a third party's metadata service, on a real socket. */
export class ThirdParty {
  /** Received requests: the `item_id` and the key. */
  readonly asked: { item_id: string; key: string | null }[] = [];
  /** Requests that are not answered yet. */
  under_way = 0;
  most_under_way = 0;
  private server: Server<unknown> | undefined;

  /** @param answer to a request for an item */
  constructor(public answer: (item_id: string) => Response | Promise<Response>) {}

  /** The URL template of the setting. */
  start(): string {
    this.server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        const item_id = decodeURIComponent(new URL(request.url).pathname.slice('/items/'.length));
        this.asked.push({ item_id, key: request.headers.get('x-api-key') });
        this.under_way++;
        this.most_under_way = Math.max(this.most_under_way, this.under_way);
        try {
          return await this.answer(item_id);
        } finally {
          this.under_way--;
        }
      },
    });
    return `http://127.0.0.1:${this.server.port}/items/{item_id}`;
  }

  async stop(): Promise<void> {
    await this.server?.stop(true);
  }
}
