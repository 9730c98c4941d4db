import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock } from '../../../src/clock.ts';
import { fillWithDemo } from '../../support/demo.ts';
import { API_KEY, openTestServer, type TestAnswer, type TestServer } from '../../support/service.ts';

/** The tours of the demo in README.md and docs/wallets.md, as a reader pastes them into a shell. */

const ROOT = join(import.meta.dir, '../../..');
const CURL = join(import.meta.dir, '../../support/curl.ts');
const CONTENT = tourIn('README.md', '## A tour with curl');
const WALLETS = tourIn('docs/wallets.md', '## A tour');
/** The first blocks: addresses, the key, and a function for requests. */
const SETUP = [CONTENT, WALLETS].map((block) => block.split('\n\n', 1)[0]).join('\n');
/** The other blocks, by their comments. */
const PARAGRAPHS = new Map(
  [CONTENT, WALLETS].flatMap((block) =>
    block
      .split('\n\n')
      .slice(1)
      .map((text) => [text.split('\n', 1)[0], text]),
  ),
);

/** The first block of commands below a heading. */
function tourIn(file: string, heading: string): string {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const [, block] = text.slice(text.indexOf(heading)).split('```sh\n', 2);
  return block.slice(0, block.indexOf('```')).trim();
}

/** A day after the item that the tour posts. */
const NOW = Date.parse(/"created_at":"([^"]+)"/.exec(CONTENT)![1]) / 1000 + 86_400;

interface Exchange {
  path: string;
  authorized: boolean;
  answer: TestAnswer;
}

let server: TestServer;
let socket: Bun.Server<unknown>;
let exchanges: Exchange[] = [];

beforeAll(async () => {
  server = await openTestServer({ clock: new ManualClock(NOW) });
  await fillWithDemo(server.service);
  socket = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const headers = Object.fromEntries(request.headers);
      const body = request.method === 'POST' ? await request.text() : undefined;
      const answer = await server.call(request.method, pathname + search, body, headers);
      exchanges.push({ path: pathname, authorized: 'authorization' in headers, answer });
      return Response.json(answer.body, { status: answer.status });
    },
  });
});
afterAll(async () => {
  await socket.stop(true);
  await server.close();
});

/** Runs a paragraph of the tour in a shell. Every request must succeed. */
async function paste(comment: string): Promise<Exchange[]> {
  exchanges = [];
  const address = `http://127.0.0.1:${socket.port}`;
  const curl = `curl() { '${process.execPath}' '${CURL}' "$@"; }\n`;
  const setup = SETUP.replaceAll('http://127.0.0.1:3000', address).replaceAll('fl_…', API_KEY);
  const script = `set -e\n${curl}${setup}\n${PARAGRAPHS.get(comment)}`;
  const { PATH } = process.env;
  const shell = Bun.spawn(['sh', '-c', script], { env: { PATH }, stdout: 'ignore', stderr: 'pipe' });
  const [stderr, code] = await Promise.all([new Response(shell.stderr).text(), shell.exited]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const { path, answer } of exchanges) expect([path, answer.status]).toEqual([path, 200]);
  return exchanges;
}

const idsOf = ({ answer }: Exchange): string[] =>
  (answer.body.body ?? answer.body.items).map((item: Record<string, string>) => item.item_id ?? item.itemId);

const stored = async (id: string) =>
  (await server.call('GET', `/v2/farcaster/items/${id}`, undefined, { authorization: `Bearer ${API_KEY}` }))
    .body;

/** The promises of the comments about the requests below them. */
const PROMISES: Record<string, (asked: Exchange[]) => void | Promise<void>> = {
  '# What should user 1393 read next? (3 items, with text, author and counters)': ([{ answer }]) => {
    expect(answer.body.body).toHaveLength(3);
    for (const { metadata } of answer.body.body) {
      expect(metadata.text).toMatch(/\w/);
      expect(metadata.author.username).toMatch(/\w/);
      expect([typeof metadata.likes_count, typeof metadata.comments_count]).toEqual(['number', 'number']);
    }
  },
  '# Pages one after another: what a page shows counts as seen, so send this again for the next one': async ([
    first,
  ]) => {
    const [again] = await paste(
      '# Pages one after another: what a page shows counts as seen, so send this again for the next one',
    );
    expect(new Set([...idsOf(first), ...idsOf(again)]).size).toBe(6);
  },
  '# Only this week, only two channels': async ([page]) => {
    expect(idsOf(page)).toHaveLength(3);
    for (const id of idsOf(page)) {
      const { channel, created_at } = await stored(id);
      expect(channel).toMatch(/\/(music|gaming)$/);
      expect(created_at).toBeGreaterThanOrEqual(NOW - 7 * 86_400);
    }
  },
  '# What is about to be talked about, and what has the most engagement': (pages) => {
    expect(pages.map((page) => idsOf(page).length)).toEqual([5, 5]);
  },
  '# Your own content: an author, an item, a follower of the author, and a like': (asked) => {
    const pages = asked.filter(({ path }) => path.endsWith('/for-you'));
    expect(pages.map(idsOf)).toEqual([['post-1'], []]);
    expect(asked.map(({ path }) => path.split('/').at(-1))).toEqual([
      ...['users', 'items', 'follows', 'for-you', 'interactions', 'for-you'],
    ]);
  },
  '# What should this wallet look at next? (no key; nothing is recorded)': async (pages) => {
    const { seq } = server.service.alpha.community!.state;
    await paste('# What should this wallet look at next? (no key; nothing is recorded)');
    expect(server.service.alpha.community!.state.seq).toBe(seq);
    expect(pages.map((page) => [page.authorized, idsOf(page).length])).toEqual([
      [false, 3],
      [false, 3],
    ]);
  },
  '# It mints the first item of its page: that item is gone from the next page, and another one has come': (
    asked,
  ) => {
    const [before, minted, after] = asked;
    expect(minted.answer.body.message).toBe("Event 'mint' recorded");
    const [first, ...others] = idsOf(before);
    expect(idsOf(after)).toHaveLength(3);
    expect(idsOf(after)).not.toContain(first);
    expect(idsOf(after).filter((id) => !others.includes(id)).length).toBeGreaterThan(0);
  },
  '# The catalog describes tokens (needs a key): prices keep every decimal': async ([{ authorized }]) => {
    expect(authorized).toBe(true);
    const { body } = await server.call('GET', '/base/feed/popular?top_k=500');
    const named = body.items.filter(
      ({ metadata }: { metadata: { name: string } }) => metadata.name === 'My Token',
    );
    expect(named).toHaveLength(1);
    expect(named[0].metadata.prices[0].value_usd_string_high_precision).toBe('0.120000000000000000042');
  },
  '# Moderation (needs a key): on no page until "hidden":false brings it back': async ([asked]) => {
    expect(asked.authorized).toBe(true);
    const item_id = 'base.0x00000000000000000000000000000000000c0002';
    const popular = async () => {
      const { body } = await server.call('GET', '/base/feed/popular?top_k=500');
      return body.items.map(({ itemId }: { itemId: string }) => itemId);
    };
    expect(await popular()).not.toContain(item_id);
    await server.post('/base/items', { item_id, hidden: false });
    expect(await popular()).toContain(item_id);
  },
};

describe('the tours', () => {
  test('have a check here for every paragraph', () => {
    expect([...PARAGRAPHS.keys()]).toEqual(Object.keys(PROMISES));
  });

  for (const [comment, kept] of Object.entries(PROMISES)) {
    test(comment, async () => {
      await kept(await paste(comment));
    });
  }
});
