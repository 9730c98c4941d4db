import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, SETTINGS, type SettingName, unknownVariables } from '../src/settings.ts';
import { temporaryFolder } from './support/folder.ts';

const folder = temporaryFolder('secrets');

function fileOf(content: string): string {
  const file = join(folder, crypto.randomUUID());
  writeFileSync(file, content);
  return file;
}

const KEY = 'a-key-of-the-operator';

/** A value of every setting that may hold a secret, and what it is read as. */
const SECRETS: Partial<Record<SettingName, [string, unknown]>> = {
  database_url: ['postgres://me:secret@db/feedloom', 'postgres://me:secret@db/feedloom'],
  cluster_secret: ['a secret of the cluster', 'a secret of the cluster'],
  metadata_url: ['https://api.example/{item_id}?key=1', 'https://api.example/{item_id}?key=1'],
  metadata_key: ['7', '7'],
  api_key: [KEY, KEY],
  connect: ['bluesky farcaster?key=1', ['bluesky', 'farcaster?key=1']],
  webhook: ['neynar?secret=1', ['neynar?secret=1']],
  otlp_headers: ['authorization=Bearer%201', { authorization: 'Bearer 1' }],
};

const secrets = (Object.keys(SETTINGS) as SettingName[]).filter((name) => SETTINGS[name].is_secret);

describe('a setting that may hold a secret is read from the file that its variable with _FILE names', () => {
  test.each(secrets)('%s', (name) => {
    const [text, value] = SECRETS[name] ?? [];
    const variable = `FEEDLOOM_${name.toUpperCase()}_FILE`;
    for (const line_end of ['', '\n', '\r\n']) {
      const env = { [variable]: fileOf(text + line_end) };
      expect(readSettings(env)[name]).toEqual(value as never);
      expect(unknownVariables(env)).toEqual([]);
    }
  });

  test('and other settings are not', () => {
    const env = { FEEDLOOM_PORT_FILE: fileOf('80') };
    expect([readSettings(env).port, unknownVariables(env)]).toEqual([3_000, ['FEEDLOOM_PORT_FILE']]);
    expect(Object.keys(SECRETS).toSorted()).toEqual(secrets.toSorted());
  });
});

test('the secrets of connectors and webhooks are read from files, too, without a line end', () => {
  const webhook = 'neynar?secret_env=SENDER';
  const expected = [`neynar?secret=${KEY}`];
  for (const env of [{ SENDER: `${KEY}\n` }, { SENDER_FILE: fileOf(`${KEY}\n`) }])
    expect(readSettings(env, { webhook }).webhook).toEqual(expected);
  expect(() => readSettings({}, { webhook })).toThrow(
    "--webhook: secret_env names the variable 'SENDER', which is not set, nor is SENDER_FILE",
  );
});

test('a flag takes precedence over a file', () => {
  const env = { FEEDLOOM_API_KEY_FILE: join(folder, 'missing') };
  expect(readSettings(env, { api_key: `${KEY}\n` }).api_key).toBe(KEY);
});

describe('a secret is refused, and not shown,', () => {
  const refusal = (env: Record<string, string>): string => {
    try {
      readSettings(env);
      return 'none';
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('if the variable and its file are both set', () => {
    const env = { FEEDLOOM_API_KEY: KEY, FEEDLOOM_API_KEY_FILE: fileOf(KEY) };
    expect(refusal(env)).toBe('FEEDLOOM_API_KEY and FEEDLOOM_API_KEY_FILE are both set');
  });

  test('if the file cannot be read', () => {
    const file = join(folder, 'missing');
    const shown = `FEEDLOOM_API_KEY_FILE: the file '${file}' cannot be read (ENOENT`;
    expect(refusal({ FEEDLOOM_API_KEY_FILE: file })).toStartWith(shown);
    expect(refusal({ FEEDLOOM_API_KEY_FILE: folder })).toContain('cannot be read (EISDIR');
  });

  test('if the file is empty, or holds what the setting does not allow', () => {
    const file = fileOf('\n');
    expect(refusal({ FEEDLOOM_API_KEY_FILE: file })).toBe(
      `FEEDLOOM_API_KEY_FILE: the file '${file}' is empty`,
    );
    expect(refusal({ FEEDLOOM_API_KEY_FILE: fileOf('short') })).toBe(
      'FEEDLOOM_API_KEY must be at least 16 printable ASCII characters without blanks (its value is not shown)',
    );
  });
});
