import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  API_KEY,
  type ServiceProcess,
  type StartOptions,
  startService,
} from '../../simulation/support/service-process.ts';
import { environment, feedloom } from '../../support/feedloom.ts';

const USERS = 50;
const ITEMS = 400;
/** A service that takes longer for an answer counts as down. */
const ANSWERED_WITHIN_MS = 10_000;
/** The kernel counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** The header of the key that attacks with a key use: that of account `default`. */
export const ATTACKER = { authorization: `Bearer ${API_KEY}` };

/**
 * A service in a child process with a small community, and a reader whose account is not the attacker's. All
 * connections are to 127.0.0.1.
 */
export class Stage implements AsyncDisposable {
  private viewer = 0;

  private constructor(
    public service: ServiceProcess,
    private readonly folder: string,
    private readonly options: StartOptions,
    private readonly reader_key: string,
  ) {}

  static async open(options: StartOptions = {}): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'feedloom-attack-'));
    const data = join(folder, 'data');
    const started = { ...options, env: { FEEDLOOM_DERIVED_LAG_MS: '100', ...options.env } };
    const service = await startService(data, started);
    const created = Bun.spawnSync([feedloom(), 'keys', 'create', '--account', 'reader', '--data', data], {
      env: environment(),
    });
    const stage = new Stage(service, folder, started, created.stdout.toString().trim());
    await stage.fill();
    // The service accepts new keys within a second.
    while ((await stage.page()).status === 401) await Bun.sleep(50);
    return stage;
  }

  get address(): string {
    return this.service.address;
  }

  get port(): number {
    return Number(new URL(this.address).port);
  }

  /** Sends JSON with the attacker's key. */
  post(
    path: string,
    body: unknown,
    headers: Record<string, string> = ATTACKER,
    keepalive = true,
  ): Promise<Response> {
    return fetch(`${this.address}${path}`, {
      method: 'POST',
      keepalive,
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** A page for a viewer of the other account. @param close with a connection of its own */
  async page(close = false): Promise<Response> {
    const user_id = `user-${this.viewer++ % USERS}`;
    const headers = { authorization: `Bearer ${this.reader_key}` };
    const asked = { user_id, top_k: 25 };
    const response = await this.post('/v2/farcaster/casts/feed/for-you', asked, headers, !close);
    await response.arrayBuffer();
    return response;
  }

  /** The export of a person, with the key of the other account. */
  async exported(user_id: string): Promise<string> {
    const headers = { authorization: `Bearer ${this.reader_key}` };
    const response = await fetch(`${this.address}/v2/farcaster/users/${user_id}/export`, { headers });
    return response.text();
  }

  /** The metric with this name and labels. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.address}/metrics`)).text();
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1));
  }

  /** Resident memory of the process, bytes. */
  rssBytes(): number {
    const status = readFileSync(`/proc/${this.service.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
  }

  /** CPU time of all threads of the process, seconds. */
  cpuSeconds(): number {
    const stat = readFileSync(`/proc/${this.service.pid}/stat`, 'utf8');
    const [utime, stime] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(utime) + Number(stime)) / TICKS_PER_SECOND;
  }

  /** Size of the files in the data folder, bytes. */
  diskBytes(): number {
    const data = join(this.folder, 'data');
    return readdirSync(data).reduce((sum, name) => sum + statSync(join(data, name)).size, 0);
  }

  /** Restarts the service on its data. @returns time until it listens, ms */
  async restart(): Promise<number> {
    await this.service.stop();
    const start_ms = performance.now();
    this.service = await startService(join(this.folder, 'data'), this.options);
    return performance.now() - start_ms;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async fill(): Promise<void> {
    const now = Math.floor(Date.now() / 1000);
    const items = Array.from({ length: ITEMS }, (_, at) => ({
      item_id: `item-${at}`,
      author_id: `user-${at % USERS}`,
      created_at: now - at * 60,
      text: `What happened to number ${at}`,
    }));
    const likes = Array.from({ length: USERS * 20 }, (_, at) => ({
      user_id: `user-${at % USERS}`,
      item_id: `item-${(at * 7) % ITEMS}`,
      event_type: 'like',
    }));
    for (const [kind, records] of [
      ['items', items],
      ['interactions', likes],
    ] as const) {
      const { status } = await this.post(`/v2/farcaster/${kind}`, records);
      if (status !== 200) throw new Error(`the community could not be made: ${status}`);
    }
  }
}
