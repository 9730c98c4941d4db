import { Acts } from './acts.ts';
import { Arrivals, type Arriving, type Order } from './arrivals.ts';
import type { Children } from './children.ts';
import { Viewers } from './requests.ts';
import { communityOf, type WorldSize } from './worlds.ts';

/** A seed of its own, since repeated interactions would not count as new. */
const SEED = 4;

/**
 * Sends interactions from a process of its own.
 *
 * Creating and sending a body of ten thousand records takes milliseconds, which would delay measurements in this
 * process.
 */
export class ArrivalsElsewhere implements Arriving {
  private constructor(
    private readonly address: string,
    readonly end: () => Promise<void>,
  ) {}

  /** @param service the address of the service that receives them */
  static async open(children: Children, service: string, size: WorldSize): Promise<ArrivalsElsewhere> {
    const part = await children.arrivals(service, size);
    return new ArrivalsElsewhere(part.address, () => part.kill());
  }

  async begin(order: Order): Promise<void> {
    await this.ask('begin', order);
  }

  async stop(): Promise<number> {
    return Number(await this.ask('stop', {}));
  }

  /** @throws Error with the failure of the other process */
  private async ask(what: string, body: object): Promise<string> {
    const answer = await fetch(`${this.address}/${what}`, { method: 'POST', body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  }
}

/**
 * `bench-part arrivals`: prints its address, and sends bodies to the service from each `/begin` to the next `/stop`.
 */
export async function serveArrivals(service: string, size: WorldSize): Promise<void> {
  const community = communityOf(size);
  const acts = new Acts(community, new Viewers(community).user_ids, SEED);
  let arrivals: Arrivals | undefined;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // Long enough for the last bodies to be acknowledged.
    idleTimeout: 255,
    routes: {
      '/begin': async (request) => {
        // Safe: `begin` sends this type.
        arrivals = new Arrivals(service, acts, (await request.json()) as Order);
        return new Response('');
      },
      '/stop': async () => new Response(String((await arrivals?.stop()) ?? 0)),
    },
    error: (error) => new Response(error.message, { status: 500 }),
  });
  console.log(JSON.stringify({ address: `http://127.0.0.1:${server.port}` }));
  await new Promise(() => {});
}
