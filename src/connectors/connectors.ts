import type { Connection } from './connections.ts';
import { type ConnectorParts, type ConnectorStatus, RunningConnector } from './running-connector.ts';

/** All configured connectors. One instance per service. */
export class Connectors {
  private readonly running: readonly RunningConnector[];

  constructor(connections: readonly Connection[], parts: ConnectorParts) {
    this.running = connections.map((connection) => new RunningConnector(connection, parts));
  }

  start(): void {
    for (const each of this.running) each.start();
  }

  /** Resolves when nothing is emitted any more. Call it before the store is closed. */
  async stop(): Promise<void> {
    await Promise.all(this.running.map((each) => each.stop()));
  }

  /** In the order of the setting. */
  get statuses(): ConnectorStatus[] {
    return this.running.map(({ status }) => status);
  }

  /** Names of the connectors that failed and have emitted nothing since. */
  get stalled(): string[] {
    return this.statuses.filter(({ state }) => state === 'stalled').map(({ connector }) => connector);
  }
}
