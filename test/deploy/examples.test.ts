import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { type Running, runService } from '../../src/cli/run-service.ts';
import { readSettings } from '../../src/settings.ts';
import {
  EXAMPLES,
  EXAMPLES_FOLDER,
  type Example,
  launchExample,
  RUNTIMES,
  type RunningExample,
  startExample,
} from '../support/example.ts';
import { REPOSITORY } from '../support/feedloom.ts';
import { temporaryFolder } from '../support/folder.ts';

/** The servers of deploy/examples, without a browser: what they answer, and what they refuse. */

const KEY = 'examples-test-key';
const data = temporaryFolder('examples');
let running: Running;
beforeAll(async () => {
  const settings = { ...readSettings({}), port: 0, data, api_key: KEY, derived_lag_ms: 0 };
  running = await runService(settings, 'test', pino({ level: 'silent' }));
  const posts = [1, 2, 3].map((nth) => ({ item_id: `p${nth}`, author_id: 'ann', created_at: 1000 * nth }));
  await ofService('/v2/community/items', posts);
});
afterAll(() => running?.stop());

/** Calls Feedloom itself. */
async function ofService(path: string, body?: object) {
  const answer = await fetch(running.address + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBeLessThan(300);
  return JSON.parse(await answer.text());
}

/** The calls of a page, with the session of whoever signed in last. */
class Reader {
  cookie = '';
  set_cookie = '';

  constructor(readonly address: string) {}

  async call(action: string, body: unknown = {}) {
    const answer = await fetch(`${this.address}/api/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: this.cookie },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    this.set_cookie = answer.headers.get('set-cookie') ?? this.set_cookie;
    this.cookie = this.set_cookie.split(';')[0];
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }
}

const KINDS = EXAMPLES.flatMap((example) =>
  Object.entries(RUNTIMES).map(([name, runtime]) => ({ example, name, runtime })),
);

describe.each(KINDS)('the example $example on $name', ({ example, runtime }) => {
  let server: RunningExample;
  beforeAll(async () => {
    server = await startExample(example, { url: `${running.address}/`, key: KEY, runtime });
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  test('serves the three files of its page and nothing else', async () => {
    const files = [
      '',
      'page.css',
      'page.js',
      '../app/feedloom.mjs',
      '..%2fapp%2ffeedloom.mjs',
      'package.json',
    ];
    const answers = await Promise.all(files.map((file) => fetch(`${server.address}/${file}`)));
    const types = answers.map(({ status, headers }) =>
      `${status} ${headers.get('content-type')}`.toLowerCase(),
    );
    expect(types.slice(0, 3)).toEqual([
      '200 text/html; charset=utf-8',
      '200 text/css; charset=utf-8',
      '200 text/javascript; charset=utf-8',
    ]);
    for (const { status } of answers.slice(3)) expect([403, 404]).toContain(status);
  });

  test('knows its readers by a cookie that scripts cannot read and nobody else can make', async () => {
    const reader = new Reader(server.address);
    expect(await reader.call('start')).toEqual({ status: 200, body: {} });
    for (const name of ['', ' ', 'x'.repeat(257), 7])
      expect((await reader.call('sign-in', { name })).status).toBe(400);
    const name = 'bob; é.1@example';
    expect((await reader.call('sign-in', { name })).status).toBe(200);
    expect(reader.set_cookie).toContain('; HttpOnly; SameSite=Lax;');
    expect((await reader.call('start')).body.user_id).toBe(name);
    const own = reader.cookie;
    const forged = [own.replace('=', '=x'), own.replace(/\.\d+\./, '.9999999999.'), `${own}x`, 'session=bob'];
    for (const cookie of forged) {
      reader.set_cookie = reader.cookie = cookie;
      expect(await reader.call('start')).toEqual({ status: 200, body: {} });
    }
    reader.cookie = own;
    await reader.call('sign-out');
    expect((await reader.call('start')).body).toEqual({});
  });

  test('does nothing for readers who are not signed in', async () => {
    const reader = new Reader(server.address);
    for (const action of ['page', 'seen', 'like', 'follow', 'post', 'view'])
      expect((await reader.call(action)).status).toBe(401);
    expect((await reader.call('other')).status).toBe(404);
  });

  test('passes on what a reader does, as that reader, and remembers it for the page', async () => {
    const reader = new Reader(server.address);
    const name = `reader-${example}-${Object.values(RUNTIMES).indexOf(runtime)}`;
    await reader.call('sign-in', { name });
    const { tabs, is_new } = (await reader.call('start')).body;
    expect(is_new).toBe(true);
    const latest = await reader.call('page', { feed_id: tabs[2].feed_id, user_id: 'ann' });
    expect(latest.body.items.map(({ item_id }: { item_id: string }) => item_id)).toContain('p3');
    const { page_id } = latest.body;
    expect((await reader.call('seen', [{ page_id, item_ids: ['p3'], user_id: 'ann' }])).status).toBe(200);
    expect((await reader.call('like', { item_id: 'p2', liked: true, user_id: 'ann' })).status).toBe(200);
    expect((await reader.call('view', { item_id: 'p1', user_id: 'ann' })).status).toBe(200);
    expect((await reader.call('follow', { author_id: 'ann', followed: true })).status).toBe(200);
    const posted = (await reader.call('post', { text: 'new', author_id: 'ann' })).body;
    expect(posted).toMatchObject({ text: 'new', author_id: name, likes: 0 });
    expect((await reader.call('start')).body).toMatchObject({ liked: ['p2'], followed: ['ann'], name });
    const seen = await ofService(`/v2/community/users/${name}/insight`);
    expect(seen.impressions.map(({ item_id }: { item_id: string }) => item_id)).toEqual(['p3']);
    expect(seen.cold_start.interactions).toBe(1);
    expect(seen.authors).toMatchObject([{ user_id: 'ann', follows: true }]);
    const { interactions } = await ofService('/v2/community/items/p1/interactions?event_type=view');
    expect(interactions.map(({ user_id }: { user_id: string }) => user_id)).toContain(name);
    expect((await reader.call('start')).body.is_new).toBe(false);
    await reader.call('like', { item_id: 'p2', liked: false });
    await reader.call('follow', { author_id: 'ann', followed: false });
    expect((await reader.call('start')).body).toMatchObject({ liked: [], followed: [] });
    expect((await ofService(`/v2/community/users/${name}/insight`)).cold_start.interactions).toBe(0);
  });

  test('refuses feeds that are no tab, and bodies that are no JSON or too long', async () => {
    const other = await ofService('/api/feed/config', {
      name: 'secret',
      endpoint: 'feeds/for-you',
      config: {},
    });
    const reader = new Reader(server.address);
    await reader.call('sign-in', { name: 'eve' });
    const statusOf = async (action: string, body: unknown) => (await reader.call(action, body)).status;
    expect(await statusOf('page', { feed_id: other.data.config_id })).toBe(400);
    expect(await statusOf('page', '{')).toBe(400);
    expect(await statusOf('page', '7')).toBe(400);
    expect(await statusOf('seen', {})).toBe(400);
    expect(await statusOf('seen', [null])).toBe(400);
    expect(await statusOf('like', { item_id: {}, liked: true })).toBe(400);
    expect(await statusOf('post', { text: ' ' })).toBe(400);
    expect(await statusOf('post', { text: 'x'.repeat(100_000) })).toBe(413);
  });
});

test('the buttons and the name of a member are those that are stored, also after a new start', async () => {
  await ofService('/v2/community/users', { user_id: 'cem', username: 'cem', display_name: 'Cem A.' });
  await ofService('/v2/community/follows', { user_id: 'cem', target_user_id: 'ann' });
  const like = { user_id: 'cem', item_id: 'p1', event_type: 'like' };
  await ofService('/v2/community/interactions', [like, { ...like, item_id: 'p2', event_type: 'view' }]);
  await using server = await startExample('html', { url: running.address, key: KEY });
  const reader = new Reader(server.address);
  await reader.call('sign-in', { name: 'cem' });
  const { body } = await reader.call('start');
  expect(body).toMatchObject({ user_id: 'cem', name: 'Cem A.', liked: ['p1'], followed: ['ann'] });
});

test('posts come with channel, comments, link, and the author to whom a reply replies', async () => {
  const reply = { author_id: 'bob', created_at: 5_000, channel: 'https://forum.example/channel/bread' };
  await ofService('/v2/community/items', [
    { item_id: 'r/1', ...reply, parent_item_id: 'p1' },
    { item_id: 'r2', ...reply, parent_item_id: 'gone', created_at: 6_000 },
    { item_id: 'gone', author_id: 'ann', created_at: 4_000, hidden: true },
  ]);
  await ofService('/v2/community/users', { user_id: 'ann', username: 'anna' });
  await ofService('/v2/community/interactions', { user_id: 'bob', item_id: 'p1', event_type: 'comment' });
  const post_url = 'https://forum.example/post/{item_id}';
  await using server = await startExample('html', { url: running.address, key: KEY, post_url });
  const reader = new Reader(server.address);
  await reader.call('sign-in', { name: 'dora' });
  const { tabs } = (await reader.call('start')).body;
  const { items } = (await reader.call('page', { feed_id: tabs[2].feed_id })).body;
  const of = (id: string) => items.find(({ item_id }: { item_id: string }) => item_id === id);
  expect(of('r/1')).toMatchObject({
    channel: reply.channel,
    is_reply: true,
    reply_to: 'anna',
    url: 'https://forum.example/post/r%2F1',
  });
  expect(of('r2').is_reply).toBe(true);
  expect(of('r2').reply_to).toBeUndefined();
  expect(of('p1')).toMatchObject({ is_reply: false, comments: 1, author: 'anna' });
  expect(of('gone')).toBeUndefined();
});

test('posts come with the links that are pictures, by their kind or their endings', async () => {
  const links = ['https://i.example/a.JPG?w=3', 'https://i.example/b', 'ftp://i.example/c.png'];
  const photo = { author_id: 'eva', created_at: 7_000, embed_items: links };
  await ofService('/v2/community/items', [
    { item_id: 'photo', ...photo, publication_types: ['image'] },
    { item_id: 'links', ...photo },
  ]);
  await using server = await startExample('html', { url: running.address, key: KEY });
  const reader = new Reader(server.address);
  await reader.call('sign-in', { name: 'dora' });
  const { tabs } = (await reader.call('start')).body;
  const { items } = (await reader.call('page', { feed_id: tabs[2].feed_id })).body;
  const of = (id: string) => items.find(({ item_id }: { item_id: string }) => item_id === id);
  expect(of('photo').pictures).toEqual(links.slice(0, 2));
  expect(of('links').pictures).toEqual(links.slice(0, 1));
  expect(of('p1').pictures).toEqual([]);
});

test('the examples save three feeds once, and find them again', async () => {
  const { data: feeds } = await ofService('/api/feed/configs', { limit: 100 });
  const names = feeds.map(({ name }: { name: string }) => name);
  for (const name of ['For you', 'Following', 'Latest'])
    expect(names.filter((one: string) => one === name)).toHaveLength(1);
});

test('a copy of the folder runs without the repository around it', async () => {
  const folder = join(temporaryFolder('copy'), 'my-app');
  cpSync(EXAMPLES_FOLDER, folder, { recursive: true });
  await using server = await startExample('html', { url: running.address, key: KEY, folder });
  const page = await (await fetch(server.address)).text();
  expect(page).toContain('page.js');
});

test.each(EXAMPLES)(
  'the example %s says what is wrong when it cannot reach Feedloom with its key',
  async (example) => {
    const why = async (url: string, key: string) => {
      const child = launchExample(example as Example, { url, key });
      expect(await child.exited).toBe(1);
      return new Response(child.stderr).text();
    };
    const unreachable = await why('http://127.0.0.1:1', KEY);
    expect(unreachable).toMatch(/POST http:\/\/127\.0\.0\.1:1\/\S+: \S+/);
    expect(unreachable).toContain('Is Feedloom running?');
    expect(await why(running.address, 'another-key-of-somebody')).toMatch(/: 401 .*unauthorized/);
  },
);

test('the version of Express is the one that the tests run with', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(REPOSITORY, path), 'utf8'));
  const { dependencies } = read('deploy/examples/express/package.json');
  expect(dependencies.express).toBe(read('package.json').devDependencies.express);
});
