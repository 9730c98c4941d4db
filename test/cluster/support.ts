import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { createLogging, type Running, runService } from '../../src/cli/run-service.ts';
import { readSettings, type Settings } from '../../src/settings.ts';
import { testsWith } from '../support/fixture.ts';
import { emptyDatabase } from '../support/prepared-data.ts';

export const API_KEY = 'test-key';
export const SECRET = 'secret-of-the-test-cluster';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

/** A node of a cluster in this process, on a port of its own. */
export class TestNode {
  constructor(
    readonly running: Running,
    private readonly folder: string,
  ) {}

  get address(): string {
    return this.running.address;
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(this.address + path, {
      method,
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.call('POST', path, body);
  }

  /** The ids of a page. */
  async page(body: Record<string, unknown>, feed_type = 'popular'): Promise<string[]> {
    const answer = await this.post(`/v2/farcaster/feeds/${feed_type}`, body);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.detail}`);
    return answer.body.body.map(({ item_id }: { item_id: string }) => item_id);
  }

  async role(): Promise<string> {
    return (await this.call('GET', '/readyz')).body.role;
  }

  async stop(): Promise<void> {
    await this.running.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Nodes on one fresh database: `await using cluster = await openCluster()`. */
class TestCluster {
  readonly nodes: TestNode[] = [];

  constructor(readonly database_url: string) {}

  /** Starts a node. @throws StartupError */
  async start(settings: Partial<Settings> = {}): Promise<TestNode> {
    const folder = mkdtempSync(join(tmpdir(), 'feedloom-node-'));
    const given: Settings = {
      ...readSettings({}),
      port: 0,
      log_level: 'silent',
      api_key: API_KEY,
      derived_lag_ms: 0,
      exploration_percent: 0,
      data: folder,
      database_url: this.database_url,
      cluster_secret: SECRET,
      ...settings,
    };
    const { log } = createLogging('stderr', given.log_level);
    try {
      const node = new TestNode(await runService(given, 'test', log), folder);
      this.nodes.push(node);
      return node;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Makes the other nodes look for this one at another address. Default: one where nothing listens. */
  async cutOff(node: TestNode, address = 'http://127.0.0.1:9'): Promise<void> {
    await this.sql('update nodes set url = $1 where url = $2', [address, node.address]);
    const seen = () => this.nodes.map(({ running }) => running.service.cluster?.leader?.url);
    await until(
      async () => seen(),
      (urls) => !urls.includes(node.address),
    );
  }

  /** Runs a statement on the database, and returns its rows. */
  async sql(statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = new SQL({ url: this.database_url, max: 1 });
    try {
      return [...(await client.unsafe(statement, values))];
    } finally {
      await client.close();
    }
  }

  async stop(node: TestNode): Promise<void> {
    this.nodes.splice(this.nodes.indexOf(node), 1);
    await node.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }
}

/** @param database_url default: an empty database */
export async function openCluster(database_url?: string): Promise<TestCluster> {
  return new TestCluster(database_url ?? (await emptyDatabase()));
}

export const testCluster = testsWith(openCluster);

/** An item that a page can show. */
export function item(item_id: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { item_id, author_id: 'author', created_at: 1_767_225_600, ...more };
}

/** Repeats a question until its answer is as wanted. The test's timeout bounds it. */
export async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    await Bun.sleep(20);
  }
}
