import { expect } from 'bun:test';
import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import type { ConnectorHost } from '../../../src/plugin/index.ts';
import { ManualTimers, settled } from '../../support/manual-timers.ts';
import { openTestServer, type TestServer, type TestServiceOptions } from '../../support/service.ts';

const PLUGIN = join(import.meta.dir, '..', 'feeding-plugin.ts');
export const ID = 'acme/feeding_v1.0.0';

/** A server whose connector runs are taken by the test, one after another. */
export class Stage {
  readonly timers = new ManualTimers();
  private readonly runs: ConnectorHost[] = [];
  private waiting: ((host: ConnectorHost) => void) | undefined;
  private ends = new Map<ConnectorHost, PromiseWithResolvers<void>>();
  private contexts = new Map<ConnectorHost, ReturnType<typeof AsyncLocalStorage.snapshot>>();

  constructor() {
    globalThis.feeding = {
      run: (host) => {
        const end = Promise.withResolvers<void>();
        this.ends.set(host, end);
        this.contexts.set(host, AsyncLocalStorage.snapshot());
        // After the listeners of the test.
        host.signal.addEventListener('abort', () => queueMicrotask(end.resolve));
        if (this.waiting === undefined) this.runs.push(host);
        else this.waiting(host);
        this.waiting = undefined;
        return end.promise;
      },
    };
  }

  /** Its connectors run. */
  async open(options: TestServiceOptions = {}, connect: readonly string[] = [ID]): Promise<TestServer> {
    const server = await openTestServer({
      ...options,
      settings: { plugins: PLUGIN, connect, ...options.settings },
      opening: { timers: this.timers, random: () => 0, ...options.opening },
    });
    server.service.connectors.start();
    return server;
  }

  /** The host of the next run. */
  async nextRun(): Promise<ConnectorHost> {
    const host = this.runs.shift();
    if (host !== undefined) return host;
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  /** Works as the code of the run does. */
  async within(host: ConnectorHost, work: () => Promise<unknown>): Promise<void> {
    await this.contexts.get(host)?.(work);
  }

  fail(host: ConnectorHost, reason: string): void {
    this.ends.get(host)?.reject(new Error(reason));
  }

  end(host: ConnectorHost): void {
    this.ends.get(host)?.resolve();
  }
}

export async function statusOf(server: TestServer): Promise<Record<string, unknown>> {
  const { status, body } = await server.get('/api/connectors');
  expect(status).toBe(200);
  return body.data[0];
}

/** Resolves when the connector has this state. Waits for turns of the event loop, not for time. */
export async function untilState(server: TestServer, state: string): Promise<Record<string, unknown>> {
  for (;;) {
    const status = await statusOf(server);
    if (status.state === state) return status;
    await settled();
  }
}

export async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
}
