import {
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

  /** The recommendations of a wallet, best first. */
  async recommended(of_wallet: string, top_k = 25): Promise<string[]> {
    const { body } = await this.forYou(of_wallet, `?top_k=${top_k}`);
    return body.items.map(({ itemId }: { itemId: string }) => itemId);
  }

  items(records: unknown): Promise<TestAnswer> {
    return this.server.post('/base/items', records);
  }
}

/** A separate server for each test, so that tests do not see each other's data. */
export async function withServer(
  run: (alpha: AlphaClient, server: TestServer) => Promise<void>,
  options: TestServiceOptions = {},
): Promise<void> {
  const server = await openTestServer(options);
  try {
    await run(new AlphaClient(server), server);
  } finally {
    await server.close();
  }
}
