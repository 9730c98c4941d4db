import type { Server } from './children.ts';
import type { Bench } from './context.ts';
import { Driver } from './load.ts';
import { feedText, PAGE_LENGTH } from './requests.ts';

/** Maximum number of viewers whose pages are tried to find a full one. */
const ATTEMPTS = 100;

/** A running bare handler with a load generator. */
export interface Bare {
  server: Server;
  driver: Driver;
  /** Length of the page that it returns. */
  page_bytes: number;
}

/** Starts the bare handler with a real page, warms it up, and stops it afterwards. */
export async function withBareHandler<T>(bench: Bench, use: (bare: Bare) => Promise<T>): Promise<T> {
  const { world, children, viewers } = bench;
  const page = await fullPage(bench);
  const server = await children.bareHandler(page);
  const driver = await Driver.connect(server.address);
  await driver.full(world.effort.turn_ms, viewers.shown('for-you'));
  const result = await use({ server, driver, page_bytes: page.length });
  driver.close();
  await server.kill();
  return result;
}

/** The first real answer with a full page. */
async function fullPage({ driver, viewers }: Bench): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const text = await driver.ask(feedText('for-you', { user_id: viewers.next() }));
    if (JSON.parse(text).body.length === PAGE_LENGTH) return text;
  }
  throw new Error(`no viewer's page has ${PAGE_LENGTH} items`);
}
