import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { readFolder } from '../../src/interchange/files.ts';
import { importFeeds } from '../../src/interchange/import-feeds.ts';
import { ImportLog } from '../../src/interchange/report.ts';
import { type Account, defaultAccount, expectRefused, newAccount } from '../http/config-support.ts';
import { openTestServer, START, type TestServer } from '../support/service.ts';
import { exportFrom, importInto, jsonl, readFiles, withFolder, writeFiles } from './support.ts';

/** A line as this service writes it. */
const LINE = {
  ...{ config_id: 'feed_3', account: 'default', name: 'Theirs', description: '' },
  ...{ endpoint: 'casts/feed/popular', status: 'active', visibility: 'private', config: {} },
  ...{ feed_image_url: '', short_name: null, revision: 4, created_at: 1000, updated_at: 2000 },
};

async function withServer<T>(work: (server: TestServer) => Promise<T>): Promise<T> {
  await using server = await openTestServer();
  return await work(server);
}

/** Imports the feeds of a folder, and reloads the feeds of the service as a start does. */
async function importFeedsInto({ service }: TestServer, folder: string, strict = false) {
  const lines: string[] = [];
  const log = new ImportLog(strict, (line) => lines.push(line));
  try {
    const { files, ...counts } = await importFeeds(
      { ...service, actor: 'cli:test' },
      readFolder(folder).feed_files,
      log,
    );
    const [{ accepted, unchanged, rejected }] = files;
    return { ...counts, accepted, unchanged, rejected, lines };
  } finally {
    await service.saved_feeds.keepUp();
  }
}

/** Imports the text of a file of feeds. */
function importText(server: TestServer, text: string, strict = false) {
  return withFolder({ 'feeds.jsonl': text }, (folder) => importFeedsInto(server, folder, strict));
}

async function configOf(account: Account, config_id: string): Promise<object> {
  const { status, body } = await account.get(config_id);
  expect(status).toBe(200);
  return body.data;
}

/** Adds items with likes, so that pages have an order. */
async function fill({ service: { ingest }, clock }: TestServer): Promise<void> {
  const items = Array.from({ length: 12 }, (_, at) => ({
    ...{ item_id: `i${at}`, author_id: `w${at % 3}`, created_at: START - 9_000 - at },
    ...{ likes_count: (at * 7) % 12, updated_at: START - 100 },
  }));
  await ingest.ingest('items', items);
  clock.set(START + 5);
}

describe('feeds.jsonl', () => {
  test('restores saved feeds with the same configurations and pages, and never reuses an id', () =>
    withFolder({}, (folder) =>
      withServer(async (original) => {
        await fill(original);
        const mine = defaultAccount(original);
        const own = { config: { top_k: 4, filters: { remove_author_ids: ['w1'] }, candidate_source: 'x' } };
        await mine.add({ name: 'Gone' });
        const id = await mine.add({ ...own, name: 'Mine "🎵"', endpoint: 'casts/feed/popular' });
        const others = await newAccount(original, 'other');
        const shared = await others.add({ visibility: 'public', config: { fallback_feeds: [] } });
        await mine.remove('feed_1');
        original.clock.set(START + 60.25);
        await mine.set(id, { short_name: 'mine' });
        await exportFrom(original, join(folder, 'first'));

        await withServer(async (elsewhere) => {
          expect((await importInto(elsewhere, join(folder, 'first'))).lines).toEqual([]);
          const output = await importFeedsInto(elsewhere, join(folder, 'first'));
          expect(output).toEqual({
            ...{ records: 2, changes: 2, accepted: 2, unchanged: 0, rejected: 0 },
            lines: [],
          });
          const here = defaultAccount(elsewhere);
          expect(await configOf(here, id)).toEqual(await configOf(mine, id));
          expect(await configOf(here, id)).toMatchObject({ revision: 2, created_at: START + 5 });
          expect(await configOf(here, shared)).toEqual(await configOf(others, shared));
          const stranger = await newAccount(elsewhere, 'stranger');
          expectRefused(await stranger.get(id), 404, 'not_found');
          expectRefused(await here.patch({ config_id: shared, name: 'Taken' }), 403, 'forbidden');
          elsewhere.clock.set(START + 60.25);
          const page = await mine.page('popular', { feed_id: id, user_id: 'u' });
          expect(page).toHaveLength(4);
          expect(await here.page('popular', { feed_id: id, user_id: 'u' })).toEqual(page);

          expect(await importFeedsInto(elsewhere, join(folder, 'first'))).toMatchObject({
            ...{ changes: 0, accepted: 2, unchanged: 2 },
          });
          await exportFrom(elsewhere, join(folder, 'second'));
          expect(readFiles(join(folder, 'second'))).toEqual(readFiles(join(folder, 'first')));
          expect(await here.add()).toBe('feed_4');
        });
      }),
    ));

  test('equals the answer of a GET plus the account', () =>
    withFolder({}, (folder) =>
      withServer(async (server) => {
        server.clock.set(START + 0.75);
        const account = await newAccount(server, 'other');
        const id = await account.add({ description: 'd', config: { top_k: 5, odd: 1 }, short_name: 's' });
        server.clock.set(START + 9.5);
        await account.set(id, { status: 'inactive' });
        await exportFrom(server, folder);
        const { account: owner, ...line } = JSON.parse(readFiles(folder)['feeds.jsonl']);
        expect([owner, line]).toEqual(['other', await configOf(account, id)]);
      }),
    ));

  test('needs no more than an id and a name', () =>
    withServer(async (server) => {
      server.clock.set(START + 3);
      const lines = [
        { config_id: 'feed_7', name: 'Short' },
        { ...{ config_id: 'feed_8', name: 'Dated', created_at: '2025-01-01', status: null, config: null } },
      ];
      expect(await importText(server, jsonl(lines))).toMatchObject({ changes: 2, lines: [] });
      const defaults = {
        ...{ description: '', endpoint: 'feeds/for-you', status: 'active', visibility: 'private' },
        ...{ config: {}, feed_image_url: '', short_name: null, revision: 1, updated_at: START + 3 },
      };
      const mine = defaultAccount(server);
      expect(await configOf(mine, 'feed_7')).toEqual({ ...defaults, ...lines[0], created_at: START + 3 });
      expect(await configOf(mine, 'feed_8')).toEqual({
        ...{ ...defaults, config_id: 'feed_8', name: 'Dated', created_at: 1_735_689_600 },
      });
    }));

  test('accepts a feed before the feed that it refers to', () =>
    withServer(async (server) => {
      await fill(server);
      const config = { fallback_feeds: [{ feed_id: 'feed_5' }], filters: { channels: ['none'] }, odd: 1 };
      const lines = [
        { ...LINE, config },
        { ...LINE, config_id: 'feed_5' },
      ];
      expect(await importText(server, jsonl(lines))).toMatchObject({ changes: 2, lines: [] });
      const mine = defaultAccount(server);
      expect(await configOf(mine, 'feed_3')).toMatchObject({ config });
      expect(await mine.page('popular', { feed_id: 'feed_3', user_id: 'u' })).toHaveLength(12);
    }));

  test('skips a line with too many levels for recursion', () =>
    withServer(async (server) => {
      const deep = `{"config_id":"feed_9","name":"x","config":{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}\n`;
      const output = await importText(server, jsonl([LINE]) + deep);
      expect(output).toMatchObject({ accepted: 1, rejected: 1 });
      expect(output.lines).toEqual(['feeds.jsonl:2: more than 64 levels of objects and arrays']);
    }));

  test('replaces a feed only by a later revision, and restores no deleted feed', () =>
    withServer(async (server) => {
      const mine = defaultAccount(server);
      await importText(server, jsonl([LINE, { ...LINE, config_id: 'feed_2' }]));
      await mine.remove('feed_2');
      const renamed = { ...LINE, name: 'Renamed' };
      const stale = [renamed, { ...renamed, revision: 1 }, { ...LINE, config_id: 'feed_2', revision: 99 }];
      expect(await importText(server, jsonl(stale))).toMatchObject({ accepted: 3, unchanged: 3, lines: [] });
      expect(await configOf(mine, 'feed_3')).toMatchObject({ name: 'Theirs', revision: 4, updated_at: 2000 });
      expect(await importText(server, jsonl([{ ...renamed, revision: 6 }]))).toMatchObject({ changes: 1 });
      expect(await configOf(mine, 'feed_3')).toMatchObject({ name: 'Renamed', revision: 6 });
      expectRefused(await mine.get('feed_2'), 404, 'not_found');
    }));

  test('skips a feed whose id belongs to another account, and reports it', () =>
    withServer(async (server) => {
      const mine = defaultAccount(server);
      const id = await mine.add({ name: 'Mine' });
      const theirs = { ...LINE, config_id: id, account: 'other' };
      const twice = [
        { ...LINE, config_id: 'feed_9' },
        { ...theirs, config_id: 'feed_9' },
      ];
      const output = await importText(server, jsonl([theirs, ...twice]));
      expect(output).toMatchObject({ accepted: 1, rejected: 2 });
      expect(output.lines).toEqual([
        'feeds.jsonl:1: config_id: feed_1 is a feed of another account here',
        'feeds.jsonl:3: config_id: feed_9 is a feed of another account here',
      ]);
      expect(await configOf(mine, id)).toMatchObject({ name: 'Mine', revision: 1 });
    }));

  test('keeps a feed that the current plugins refuse, which then answers 409', () =>
    withServer(async (server) => {
      const config = { filters: { 'acme/none': true } };
      const line = { ...LINE, config };
      expect(await importText(server, jsonl([line]))).toMatchObject({ changes: 1, lines: [] });
      const mine = defaultAccount(server);
      expect(await configOf(mine, 'feed_3')).toMatchObject({ config });
      expectRefused(await mine.ask('popular', { feed_id: 'feed_3', user_id: 'u' }), 409, 'plugin_not_loaded');
    }));

  test('names unknown fields, and ignores empty lines', () =>
    withServer(async (server) => {
      const { lines, accepted } = await importText(server, `\n${jsonl([{ ...LINE, deleted: false }])}\n`);
      expect([lines, accepted]).toEqual([["feeds.jsonl:2: unknown field 'deleted' was ignored"], 1]);
    }));

  test('ends a strict import at the first bad line; earlier feeds stay', () =>
    withServer(async (server) => {
      const text = `${jsonl([LINE])}{}\n${jsonl([{ ...LINE, config_id: 'feed_4' }])}`;
      const [import_] = await Promise.allSettled([importText(server, text, true)]);
      expect(import_.status === 'rejected' && import_.reason.message).toStartWith(
        'feeds.jsonl:2: config_id: is required',
      );
      expect(await server.service.store.feeds.all()).toMatchObject([{ feed_id: 'feed_3' }]);
      const foreign = jsonl([
        { ...LINE, account: 'other' },
        { ...LINE, config_id: 'feed_4' },
      ]);
      const [second] = await Promise.allSettled([importText(server, foreign, true)]);
      expect(second.status === 'rejected' && second.reason.message).toContain('of another account here');
      expect(await server.service.store.feeds.all()).toHaveLength(1);
    }));

  test('is found in a folder without other files, plain or compressed', () =>
    withFolder({ 'feeds.jsonl.gz': jsonl([LINE]), 'items.jsonl': '' }, async (folder) => {
      const { files, feed_files, ignored } = readFolder(folder);
      expect([files, feed_files].map((of) => of.map(({ name }) => name))).toEqual([
        ['items.jsonl'],
        ['feeds.jsonl.gz'],
      ]);
      expect(ignored).toEqual([]);
      writeFiles(folder, { 'feeds.jsonl': '' });
      expect(() => readFolder(folder)).toThrow('holds both feeds.jsonl and feeds.jsonl.gz');
    }));
});

describe('in feeds.jsonl', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  test.each<[string, string, string]>([
    ['that is no JSON', '{"config_id":', 'not valid JSON: '],
    ['that is no object', '[]', 'record: expected a JSON object'],
    ...[undefined, 3, 'feed_0', 'feed_01', 'feed_2000000001', 'other_1'].map(
      (config_id): [string, string, string] => [
        `with the id ${config_id}`,
        JSON.stringify({ ...LINE, config_id }),
        config_id === undefined
          ? 'config_id: is required'
          : 'config_id: expected an id from feed_1 to feed_2000000000; got ',
      ],
    ),
    ...[3, '', 'a\0b', {}].map((account): [string, string, string] => [
      `of the account ${JSON.stringify(account)}`,
      JSON.stringify({ ...LINE, account }),
      'account: expected ',
    ]),
    ...[0, -1, 1.5, 2_000_000_001, '4'].map((revision): [string, string, string] => [
      `at revision ${JSON.stringify(revision)}`,
      JSON.stringify({ ...LINE, revision }),
      'revision: expected an integer from 1 to 2000000000; got ',
    ]),
    ['in milliseconds', JSON.stringify({ ...LINE, created_at: 1.7e12 }), 'created_at: expected seconds'],
    ...Object.entries({
      ...{ name: 3, description: 5, endpoint: 'popular', status: 'on', visibility: 'Private' },
      ...{ config: [], feed_image_url: 'x', short_name: 5 },
    }).map(([name, value]): [string, string, string] => [
      `with the ${name} ${JSON.stringify(value)}`,
      JSON.stringify({ ...LINE, [name]: value }),
      `${name}: must be `,
    ]),
    ['without a name', JSON.stringify({ ...LINE, name: null }), 'name: is required'],
    ['with a top_k of 0', JSON.stringify({ ...LINE, config: { top_k: 0 } }), 'config/top_k: must be '],
    ['about a user', JSON.stringify({ ...LINE, config: { user_id: 'u' } }), 'config/user_id: belongs to '],
    [
      'with two faults',
      JSON.stringify({ ...LINE, revision: 0, config: { seed: 1 } }),
      'revision: expected an integer from 1 to 2000000000; got 0; config/seed: belongs to ',
    ],
  ])('a line %s is reported with its position and skipped', async (_what, line, message) => {
    const output = await importText(server, `\n${line}\n`);
    expect(output).toMatchObject({ records: 1, accepted: 0, unchanged: 0, rejected: 1 });
    expect(output.lines).toEqual([expect.stringMatching(/^feeds\.jsonl:2: /)]);
    expect(output.lines[0].slice('feeds.jsonl:2: '.length)).toStartWith(message);
    expect(await server.service.store.feeds.all()).toEqual([]);
  });
});
