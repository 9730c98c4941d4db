import { expect, test } from 'bun:test';
import { readSettings, SETTINGS, type SettingName } from '../../src/settings.ts';
import { editAt } from '../support/edit.ts';
import { settled } from '../support/manual-timers.ts';
import { openTestServer, START } from '../support/service.ts';

/** Callers and logs that might show secrets in the URLs of settings, beside the host, which may be shown. */

const SECRET = /hunter2|secret-path|s3cr3t|top-secret-key/;

test('a key that only reads feeds sees the host of a connector that fails, and nothing else of its URL', async () => {
  // The server repeats the path and a header, as many do.
  using source = Bun.serve({
    port: 0,
    fetch: (request) =>
      new Response(`no ${new URL(request.url).pathname} for ${request.headers.get('x-key')}`, {
        status: 404,
      }),
  });
  const host = `127.0.0.1:${source.port}`;
  const rest = 'secret-path?token=s3cr3t';
  const connect = [
    `bluesky?url=ws://user:hunter2@${host}/${rest}`,
    `farcaster?url=http://user:hunter2@${host}/secret-path&key=top-secret-key&key_header=x-key`,
    `farcaster#redirected?url=http://${host}/secret-path/s3cr3t`,
  ];
  await using server = await openTestServer({ settings: { connect: connect.map(encoded) } });
  const { key } = await server.service.store.keys.create('other', ['feed:read'], editAt(START));
  await server.keys.refresh();
  server.service.connectors.start();
  const statuses = async (): Promise<{ state: string; last_error: string }[]> =>
    (await server.call('GET', '/api/connectors', undefined, { 'x-api-key': key })).body.data;
  while ((await statuses()).some(({ state }) => state !== 'stalled')) await settled();
  const reasons = (await statuses()).map(({ last_error }) => last_error);
  expect(reasons[0]).toContain(`ws://${host}/…`);
  expect(reasons[1]).toContain('answered 404: no …/v1/info for …');
  const shown = JSON.stringify([await statuses(), (await server.call('GET', '/metrics')).body, server.log]);
  expect(shown).not.toMatch(SECRET);
});

/** An entry whose URLs are encoded, as an operator writes them. */
function encoded(entry: string): string {
  const at = entry.indexOf('?');
  const options = entry.slice(at + 1).split(/&(?=key)/);
  const pairs = options.map((option): [string, string] => {
    const equals = option.indexOf('=');
    return [option.slice(0, equals), option.slice(equals + 1)];
  });
  return `${entry.slice(0, at)}?${new URLSearchParams(pairs)}`;
}

test.each([
  'https://user:hunter2@host.example:81/secret-path?key=s3cr3t#top-secret-key',
  'postgres://user:hunter2@host.example/secret-path?x=s3cr3t',
  'ftp://user:hunter2@host.example/secret-path',
])('no setting that is refused shows more of %s than its host', (url) => {
  const refusals = (Object.keys(SETTINGS) as SettingName[]).map((name) => refusalOf(name, url));
  expect(refusals.filter((refusal) => SECRET.test(refusal))).toEqual([]);
  expect(refusals.filter((refusal) => refusal.includes('host.example')).length).toBeGreaterThan(20);
});

test.each([
  'user:hunter2@host.example:81',
  '//user:hunter2@host.example/secret-path',
  'http:/user:hunter2@x',
])('no setting that takes a URL shows %s, whose scheme is missing or wrong', (text) => {
  const urls = (Object.keys(SETTINGS) as SettingName[]).filter((name) => SETTINGS[name].value === '<url>');
  expect(urls.length).toBeGreaterThan(3);
  const refusals = [...urls, 'cors_origins' as const].map((name) => refusalOf(name, text));
  expect(refusals.filter((refusal) => SECRET.test(refusal))).toEqual([]);
});

test('a refused start does not show the password of a URL where a file was expected', async () => {
  const plugins = 'https://user:hunter2@host.example/secret-path';
  const error = await openTestServer({ settings: { plugins } }).catch((refusal: Error) => refusal);
  expect((error as Error).message).toContain('host.example');
  expect((error as Error).message).not.toMatch(SECRET);
});

/** The error of a setting; empty if it takes the text. */
function refusalOf(name: SettingName, text: string): string {
  try {
    readSettings({ [SETTINGS[name].env]: text });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
