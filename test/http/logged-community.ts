import { expect } from 'bun:test';
import { LIMITS } from '../../src/limits.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { openTestServer, START, type TestServer, type TestServiceOptions } from '../support/service.ts';
import { Community, type Fields, feedPath, KEY } from './support.ts';

/** A community whose shown pages are logged when a test says so. */
export class LoggedCommunity extends Community {
  private constructor(
    server: TestServer,
    readonly timers: ManualTimers,
  ) {
    super(server);
  }

  static async open({ opening, ...options }: TestServiceOptions = {}): Promise<LoggedCommunity> {
    const timers = new ManualTimers();
    const server = await openTestServer({ ...options, opening: { ...opening, timers, logs_shown: true } });
    return new LoggedCommunity(server, timers);
  }

  /** With items `a` to `e`, of which popular pages show `e` first. */
  static async filled(options: TestServiceOptions = {}): Promise<LoggedCommunity> {
    const community = await LoggedCommunity.open(options);
    for (const [at, item_id] of [...'abcde'].entries())
      await community.addItem(item_id, { created_at: START - 10 + at });
    return community;
  }

  /** The answer to a popular request, which must succeed. */
  async answer(fields: Fields) {
    const { status, body } = await this.server.post(feedPath('popular'), fields);
    expect(status).toBe(200);
    return body;
  }

  /** Logs the pages that were shown so far. */
  async log(): Promise<void> {
    const { shown, queue } = this.server.service.ingest;
    await this.timers.pass(LIMITS.shown_flush_seconds);
    // Many pages take several batches.
    await shown.flushed();
    await queue.allApplied();
  }

  async timesShown(item_id: string): Promise<number> {
    await this.log();
    return (await this.server.get(`/v2/farcaster/items/${item_id}/counts`)).body.shown;
  }

  /** What an operation answers under `data`. */
  async data(path: string, headers: Record<string, string> = KEY) {
    const { status, body } = await this.server.call('GET', path, undefined, headers);
    expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
    return body.data;
  }
}
