import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { readFolder } from '../../src/interchange/files.ts';
import { importPreferences } from '../../src/interchange/import-preferences.ts';
import { ImportLog } from '../../src/interchange/report.ts';
import { type GivenPreferences, NO_PREFERENCES } from '../../src/model/records/preferences.ts';
import { namedPreferences } from '../../src/state/named-preferences.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { exported, exportFrom, jsonl, readFiles, withFolder } from './support.ts';

const ALL: GivenPreferences = {
  muted: {
    ...{ words: ['late night', { value: '#vinyl', until: 1_796_401_269 }], channels: ['a'], labels: [] },
    authors: ['author', { value: 'cat', until: 1_796_401_269 }],
  },
  more: [
    { kind: 'author', value: 'dan' },
    { kind: 'word', value: 'synth*', until: 1_796_401_269 },
  ],
  less: [{ kind: 'label', value: 'politics' }],
  personalised: false,
};

function set({ service: { ingest } }: TestService, user_id: string, given: GivenPreferences) {
  return ingest.preferences({ user_id, given, is_patch: false });
}

async function importFrom({ service }: TestService, folder: string) {
  const printed: string[] = [];
  const log = new ImportLog(false, (line) => printed.push(line));
  const { changes, files } = await importPreferences(service, readFolder(folder).preferences_files, log);
  const [{ accepted, unchanged, rejected }] = files;
  return { changes, accepted, unchanged, rejected, printed };
}

test('preferences are the same after an export and an import, and a second import changes nothing', () =>
  withFolder({}, async (folder) => {
    await using first = await openTestService({});
    await set(first, 'bob', ALL);
    await set(first, 'ann', { more: [{ kind: 'author', value: 'erased' }], personalised: false });
    await set(first, 'only names an erased user', { muted: { authors: ['erased'] } });
    await set(first, 'no more', ALL);
    await set(first, 'no more', {});
    await set(first, 'erased', ALL);
    await first.service.ingest.deleteUser('erased');
    const { muted, more, less } = NO_PREFERENCES;
    await exportFrom(first, join(folder, 'files'));
    const text = readFiles(join(folder, 'files'))['preferences.jsonl'];
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { user_id: 'ann', muted, more, less, personalised: false },
      { user_id: 'bob', ...ALL },
    ]);
    await using second = await openTestService({});
    expect(await importFrom(second, join(folder, 'files'))).toEqual({
      ...{ changes: 2, accepted: 2, unchanged: 0, rejected: 0, printed: [] },
    });
    const { state } = second.service;
    for (const user_id of ['ann', 'bob', 'only names an erased user', 'no more'])
      expect(namedPreferences(state, user_id)).toEqual(namedPreferences(first.service.state, user_id));
    expect((await exported(second))['preferences.jsonl']).toBe(text);
    const { seq } = state;
    expect(await importFrom(second, join(folder, 'files'))).toMatchObject({ unchanged: 2, changes: 0 });
    expect(state.seq).toBe(seq);
  }));

test('bad lines of preferences are named with what is wrong, and the others are imported', () => {
  const lines = [
    { user_id: 'u0', personalised: false },
    { personalised: false },
    { user_id: 'u1', muted: { words: [''] } },
    { user_id: 'u1', muted: { channels: Array.from({ length: 150 }, (_, at) => `c${at}`) }, more: sixty() },
    { user_id: 'u2', less: [{ kind: 'label', value: 'politics' }], other: 1 },
    { user_id: 'u0' },
  ];
  return withFolder({ 'preferences.jsonl': jsonl(lines) }, async (folder) => {
    await using opened = await openTestService({});
    const { printed, ...counts } = await importFrom(opened, folder);
    expect(counts).toEqual({ changes: 3, accepted: 3, unchanged: 0, rejected: 3 });
    expect(printed).toEqual([
      'preferences.jsonl:2: user_id: is required',
      expect.stringContaining('preferences.jsonl:3: muted/words/0: expected a string of 1 to 256 characters'),
      'preferences.jsonl:4: record: expected at most 200 entries in all; got 210',
      "preferences.jsonl:5: unknown field 'other' was ignored",
    ]);
    // The last line takes back the first.
    expect(opened.service.state.preferences.users().length).toBe(1);
  });
});

function sixty() {
  return Array.from({ length: 60 }, (_, at) => ({ kind: 'channel', value: `d${at}` }));
}
