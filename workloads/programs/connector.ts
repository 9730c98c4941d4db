/**
 * What reading a stream costs: the CPU share of a service that reads 5,000 events a second from a local Jetstream
 * server while pages are asked of it. It takes a minute. Run it alone on the machine:
 * `bun workloads/programs/connector.ts [--events 5000] [--pages 50] [--seconds 30] [--version 2]`.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/clock.ts';

const MAIN = join(import.meta.dir, '../../src/main.ts');
const KEY = 'key-of-the-bench';
const V2 = 'network.bsky.jetstream.subscribeEvents';
const USERS = 20_000;
const TICK_MS = 10;
/** Ticks of the processor a second in /proc. */
const TICKS_PER_SECOND = 100;
/** Before the measurement, so that code is compiled and pages are not empty. */
const WARM_UP_SECONDS = 10;
const PAGES_ALONE_SECONDS = 10;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '5000' },
    pages: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '30' },
    version: { type: 'string', default: '1' },
  },
});
const [events_per_second, pages_per_second, seconds, version] = [
  values.events,
  values.pages,
  values.seconds,
  values.version,
].map(Number);

/** Makes events in about the mix of Bluesky: mostly likes, then posts, follows, reposts and deletions. */
class Source {
  private readonly random = seededRandom(1);
  private readonly posts: string[] = [];
  private readonly likes: [did: string, rkey: string][] = [];
  private made_count = 0;

  next(): string {
    const number = this.made_count++;
    const [did, rkey, kind] = [this.user(), `k${number}`, this.random()];
    const create = (collection: string, record: object) =>
      this.event(did, { operation: 'create', collection, rkey, cid: `cid${number}`, record });
    const createdAt = new Date().toISOString();
    const subject = { uri: this.posts[Math.floor(this.random() * this.posts.length)], cid: 'cid' };
    if (kind < 0.15 || this.posts.length === 0) {
      this.posts[number % 50_000 === 0 ? 0 : this.posts.length % 50_000] =
        `at://${did}/app.bsky.feed.post/${rkey}`;
      const text = `Post number ${number} says something of an ordinary length about nothing in particular.`;
      return create('app.bsky.feed.post', { $type: 'app.bsky.feed.post', text, langs: ['en'], createdAt });
    }
    if (kind < 0.22) return create('app.bsky.feed.repost', { subject, createdAt });
    if (kind < 0.34) return create('app.bsky.graph.follow', { subject: this.user(), createdAt });
    if (kind < 0.4 && this.likes.length > 0) {
      const [of, liked] = this.likes[Math.floor(this.random() * this.likes.length)];
      return this.event(of, { operation: 'delete', collection: 'app.bsky.feed.like', rkey: liked });
    }
    if (this.likes.length < 10_000) this.likes.push([did, rkey]);
    return create('app.bsky.feed.like', { $type: 'app.bsky.feed.like', subject, createdAt });
  }

  private user(): string {
    return `did:plc:${String(Math.floor(this.random() ** 2 * USERS)).padStart(24, 'a')}`;
  }

  private event(did: string, commit: object): string {
    const content = { rev: '3l3qo2vutsw2b', ...commit };
    if (version !== 2)
      return JSON.stringify({ did, time_us: Date.now() * 1000, kind: 'commit', commit: content });
    const [seq, time] = [this.made_count, new Date().toISOString()];
    return JSON.stringify({
      $type: 'message',
      payload: { $type: `${V2}#commit`, seq, did, time, ...content },
    });
  }
}

const source = new Source();
const begun = Promise.withResolvers<void>();
let sent_count = 0;
let sending = true;
const server: Bun.Server<undefined> = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request, own) => (own.upgrade(request) ? undefined : new Response('', { status: 426 })),
  websocket: {
    async open(socket) {
      await begun.promise;
      const start_ms = performance.now();
      while (sending) {
        const due = ((performance.now() - start_ms) / 1000) * events_per_second;
        for (; sent_count < due; sent_count++) socket.send(source.next());
        await Bun.sleep(TICK_MS);
      }
    },
    message: () => {},
  },
});

const folder = mkdtempSync(join(tmpdir(), 'feedloom-connector-'));
const path = version === 2 ? `xrpc/${V2}` : 'subscribe';
const child = Bun.spawn([process.execPath, MAIN, 'serve'], {
  env: {
    PATH: process.env.PATH ?? '',
    FEEDLOOM_API_KEY: KEY,
    FEEDLOOM_PORT: '0',
    FEEDLOOM_DATA: folder,
    FEEDLOOM_CONNECT: `bluesky?url=ws://127.0.0.1:${server.port}/${path}`,
  },
  stdout: 'pipe',
  stderr: 'inherit',
});

/** Waits for the line that tells the address, and reads on so that the pipe never fills up. */
async function listening(): Promise<string> {
  const address = Promise.withResolvers<string>();
  void (async () => {
    let text = '';
    for await (const bytes of child.stdout) {
      if (text.length < 100_000) text += Buffer.from(bytes).toString();
      const found = /"address":"([^"]+)"/.exec(text);
      if (found !== null) address.resolve(found[1]);
    }
    address.reject(new Error(`the service ended:\n${text}`));
  })();
  return address.promise;
}

/** CPU seconds of the service with all its threads and ended children. */
function cpuSeconds(): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

async function recordsStored(address: string): Promise<number> {
  const answer = await fetch(`${address}/api/connectors`, { headers: { 'x-api-key': KEY } });
  const { data } = (await answer.json()) as { data: { records_count: number }[] };
  return data[0].records_count;
}

/** Asks for pages at the chosen rate. @returns their durations in ms, sorted */
async function askPages(address: string, duration_seconds: number): Promise<number[]> {
  const random = seededRandom(2);
  const durations: number[] = [];
  const asked: Promise<void>[] = [];
  const ask = async () => {
    const from_ms = performance.now();
    const user_id = `did:plc:${String(Math.floor(random() ** 2 * USERS)).padStart(24, 'a')}`;
    const answer = await fetch(`${address}/v2/farcaster/feeds/for-you`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ user_id }),
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`a page was answered with ${answer.status}`);
    durations.push(performance.now() - from_ms);
  };
  const start_ms = performance.now();
  for (let elapsed = 0; elapsed < duration_seconds; elapsed = (performance.now() - start_ms) / 1000) {
    while (asked.length < elapsed * pages_per_second) asked.push(ask());
    await Bun.sleep(TICK_MS);
  }
  await Promise.all(asked);
  return durations.sort((one, other) => one - other);
}

/** One line of figures about a phase. */
async function measured(name: string, address: string, duration_seconds: number): Promise<number> {
  const before = { cpu: cpuSeconds(), records: await recordsStored(address), sent: sent_count };
  const start_ms = performance.now();
  const pages = await askPages(address, duration_seconds);
  const elapsed = (performance.now() - start_ms) / 1000;
  const share = (cpuSeconds() - before.cpu) / elapsed;
  const rate = (count: number) => Math.round(count / elapsed);
  const percentile = (part: number) => pages[Math.floor(part * (pages.length - 1))]?.toFixed(1);
  console.log(
    `${name}: ${(share * 100).toFixed(1)}% of one core, ${rate(sent_count - before.sent)} events/s sent, ` +
      `${rate((await recordsStored(address)) - before.records)} records/s stored, ${rate(pages.length)} pages/s ` +
      `(p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms)`,
  );
  return share;
}

try {
  const address = await listening();
  begun.resolve();
  await askPages(address, WARM_UP_SECONDS);
  const both = await measured('events and pages', address, seconds);
  sending = false;
  await Bun.sleep(1000);
  const alone = await measured('pages alone', address, PAGES_ALONE_SECONDS);
  console.log(`reading the stream: ${((both - alone) * 100).toFixed(1)}% of one core`);
} finally {
  child.kill('SIGTERM');
  await child.exited;
  await server.stop(true);
  rmSync(folder, { recursive: true, force: true });
}
