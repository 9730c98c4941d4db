import { defineIntegration, definePlugin, Type } from 'feedloom/plugin';

interface Run {
  /** The cursor with which it began. */
  from: string | undefined;
  /** The numbers whose records were acknowledged. */
  emitted: number[];
}

/** A source of numbered items, and the runs of the connector that reads it, in all nodes of this process. */
export class Source {
  readonly runs: Run[] = [];
  private available = 0;
  private waiting: (() => void)[] = [];

  publish(count: number): void {
    this.available += count;
    for (const go of this.waiting.splice(0)) go();
  }

  /** Resolves when there is an item with this number, or the run ends. */
  async has(number: number, signal: AbortSignal): Promise<void> {
    while (number > this.available && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
    }
  }
}

/** The source of the current test. */
export const current = { source: new Source() };

export default definePlugin({
  meta: { name: 'counting', version: '1.0.0', api: 2 },
  integrations: {
    'counting/items_v1.0.0': defineIntegration({
      summary: 'Emits item1, item2, and so on, as a test publishes them.',
      options: Type.Object({}, { additionalProperties: false }),
      connect: () => async (host) => {
        const { source } = current;
        const run: Run = { from: host.cursor, emitted: [] };
        source.runs.push(run);
        for (let number = Number(host.cursor ?? 0) + 1; ; number++) {
          await source.has(number, host.signal);
          if (host.signal.aborted) return;
          const record = { item_id: `item${number}`, author_id: 'author', created_at: 1_767_225_600 };
          await host.emit([{ kind: 'item', record }], String(number));
          run.emitted.push(number);
        }
      },
    }),
  },
});
