import { test } from 'bun:test';
import { type Files, type ImportOutput, importInto, withFolder } from '../interchange/support.ts';
import {
  API_KEY,
  openTestServer,
  type TestAnswer,
  type TestServer,
  type TestServiceOptions,
} from '../support/service.ts';

/** The nth wallet, contract, token and NFT of a test. */
export const wallet = (n: number) => `0x${n.toString(16).padStart(40, 'a')}`;
export const contract = (n: number) => `0x${n.toString(16).padStart(40, 'c')}`;
export const token = (n: number) => `base.${contract(n)}`;
export const nft = (of_contract: number, token_id: number) => `base.${contract(of_contract)}.${token_id}`;

/** An event of the nth wallet. Without a time, the service dates it. */
export function eventOf<E extends string>(n: number, item_id: string, event_type: E, timestamp?: number) {
  return { wallet_address: wallet(n), item_id, event_type, ...(timestamp !== undefined && { timestamp }) };
}

/** An `events.csv`. */
export function csv(
  ...events: [who: number, item_id: string, event_type: string, time: number | string][]
): string {
  const lines = events.map(([who, ...rest]) => `${wallet(who)},${rest.join(',')}\n`);
  return `wallet_address,item_id,event_type,timestamp\n${lines.join('')}`;
}

/** The path of `AlphaClient.remove` for an event, or without a time for all of its type. */
export function eventPath({ timestamp, ...of }: SentEvent): string {
  const query = new URLSearchParams({ ...of });
  if (timestamp !== undefined) query.set('timestamp', String(timestamp));
  return `events?${query}`;
}

export interface SentEvent {
  wallet_address: string;
  item_id: string;
  event_type: string;
  timestamp?: number | string;
}

/** The calls of the alpha API without a key. */
export class AlphaClient {
  constructor(private readonly server: TestServer) {}

  event(event: SentEvent | object): Promise<TestAnswer> {
    return this.server.call('POST', '/base/events', event, {});
  }

  /** Records events that must be accepted. */
  async events(...events: SentEvent[]): Promise<void> {
    for (const event of events) {
      const { status, body } = await this.event(event);
      if (status !== 200) throw new Error(JSON.stringify(body));
    }
  }

  forYou(of_wallet: string, query = ''): Promise<TestAnswer> {
    return this.server.call('GET', `/base/feed/for-you/${of_wallet}${query}`, undefined, {});
  }

  popular(query = ''): Promise<TestAnswer> {
    return this.server.call('GET', `/base/feed/popular${query}`, undefined, {});
  }

  /** The popular items, best first. */
  async popularIds(query = ''): Promise<string[]> {
    const { body } = await this.popular(query);
    return body.items.map(({ itemId }: { itemId: string }) => itemId);
  }

  /** The recommendations of a wallet, best first. */
  async recommended(of_wallet: string, top_k = 25): Promise<string[]> {
    const { body } = await this.forYou(of_wallet, `?top_k=${top_k}`);
    return body.items.map(({ itemId }: { itemId: string }) => itemId);
  }

  items(records: unknown): Promise<TestAnswer> {
    return this.server.post('/base/items', records);
  }

  /** Removes `items/<id>`, `wallets/<address>` or `events?…`. */
  remove(path: string, key = API_KEY): Promise<TestAnswer> {
    return this.server.call('DELETE', `/base/${path}`, undefined, { authorization: `Bearer ${key}` });
  }
}

/** A server of its own. */
export async function withServer(
  run: (alpha: AlphaClient, server: TestServer) => Promise<void>,
  options: TestServiceOptions = {},
): Promise<void> {
  await using server = await openTestServer(options);
  await run(new AlphaClient(server), server);
}

/** A test with a server of its own. Files import it as `it`. */
export function testWallets(
  name: string,
  run: (given: { alpha: AlphaClient; server: TestServer }) => Promise<void>,
): void {
  test(name, () => withServer((alpha, server) => run({ alpha, server })));
}

/** Imports files into a new server. */
export function withImported(
  files: Files,
  run: (alpha: AlphaClient, told: ImportOutput, server: TestServer, folder: string) => Promise<void>,
): Promise<void> {
  return withFolder(files, (folder) =>
    withServer(async (alpha, server) => run(alpha, await importInto(server, folder), server, folder)),
  );
}
