import { expect } from 'bun:test';
import { type Account, defaultAccount } from '../http/config-support.ts';
import { Community, type Fields } from '../http/support.ts';
import { testsWith } from '../support/fixture.ts';
import { openTestServer, START, type TestAnswer, type TestServiceOptions } from '../support/service.ts';

export const PATH = '/api/experiments';
const HEADERS = { authorization: 'Bearer test-key' };

/** Channels that decide which of two feeds an item belongs to. */
export const LEFT = 'https://example.com/left';
const RIGHT = 'https://example.com/right';

/** A community with experiments: `await using lab = await openLab()`. */
export class Lab extends Community {
  readonly account: Account = defaultAccount(this.server);

  /** The answer to a call below `/api/experiments`. */
  call(method: string, path = '', body?: unknown, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return this.server.call(method, PATH + path, body, { ...HEADERS, ...headers });
  }

  /** Two feeds of one type that show different items. */
  async feeds(feed_type = 'popular'): Promise<{ left: string; right: string }> {
    const add = (channel: string) =>
      this.account.add({
        endpoint: `feeds/${feed_type}`,
        config: { filters: { channels: [channel] }, show_interacted_items: true },
      });
    return { left: await add(LEFT), right: await add(RIGHT) };
  }

  /** Items of both channels. */
  async items(count: number): Promise<void> {
    const items = [];
    for (let at = 0; at < count; at++) {
      const fields = { author_id: 'author', created_at: START - 100 - at };
      items.push({ item_id: `left-${at}`, channel: LEFT, ...fields });
      items.push({ item_id: `right-${at}`, channel: RIGHT, ...fields });
    }
    await this.add('items', ...items);
  }

  /** Creates an experiment, which must succeed, and gives its id. */
  async start(feed_id: string, other: string, fields: Fields = {}): Promise<string> {
    const { status, body } = await this.call('POST', '', { ...halves(feed_id, other), ...fields });
    expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined });
    return body.data.experiment_id;
  }

  /** Changes an experiment, which must succeed. */
  async change(id: string, fields: Fields): Promise<Fields> {
    const { status, body } = await this.call('PATCH', `/${id}`, fields);
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    return body.data;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async data(id: string): Promise<any> {
    const { status, body } = await this.call('GET', `/${id}`);
    expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
    return body.data;
  }

  /** The totals of each variant by name, without rates and latency. */
  async totals(id: string): Promise<Record<string, Fields>> {
    return totalsOf((await this.data(id)).results);
  }

  /** The lines of `viewers.csv`, sorted. */
  async viewers(id: string): Promise<string[]> {
    const { status, body } = await this.call('GET', `/${id}/viewers.csv`);
    expect(status).toBe(200);
    return String(body).trimEnd().split('\n').slice(1).sort();
  }
}

export async function openLab(options: TestServiceOptions = {}): Promise<Lab> {
  return new Lab(await openTestServer(options));
}

export const testLab = testsWith(openLab);

/** A body for an experiment of two variants, half of the viewers each. */
export function halves(feed_id: string, other: string): Fields {
  return {
    name: 'Left or right',
    feed_id,
    variants: [
      { name: 'control', feed_id, percent: 50 },
      { name: 'other', feed_id: other, percent: 50 },
    ],
  };
}

/** The numbers of a period's results that come from the log: all but latency and statistics. */
export function totalsOf(results: {
  variants: { name: string; rates: { metric: string; value: number | null }[]; latency?: object }[];
}): Record<string, Fields> {
  return Object.fromEntries(
    results.variants.map(({ name, rates, latency: _, ...totals }) => [
      name,
      { ...totals, ...Object.fromEntries(rates.map(({ metric, value }) => [metric, value])) },
    ]),
  );
}
