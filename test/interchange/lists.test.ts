import { expect, test } from 'bun:test';
import { ExportFolder } from '../../src/interchange/export-folder.ts';
import { exportFiles } from '../../src/interchange/exporter.ts';
import { readFolder } from '../../src/interchange/files.ts';
import { importLists } from '../../src/interchange/import-lists.ts';
import { ImportLog } from '../../src/interchange/report.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { jsonl, readFiles, withFolder } from './support.ts';

async function importFrom({ service }: TestService, folder: string) {
  const printed: string[] = [];
  const log = new ImportLog(false, (line) => printed.push(line));
  const { changes, files } = await importLists(service, readFolder(folder).list_files, log);
  const [{ accepted, unchanged, rejected }] = files;
  return { changes, accepted, unchanged, rejected, printed };
}

function listsOf({ service: { state } }: TestService): unknown {
  return state.user_lists.ids().map((list_id) => {
    const list = state.user_lists.get(list_id)!;
    return [
      list_id,
      list.name,
      list
        .users()
        .map((user) => state.users.names.id(user))
        .sort(),
    ];
  });
}

test('lists of users are the same after an export and an import, and a second import changes nothing', () =>
  withFolder({}, async (folder) => {
    await using first = await openTestService({});
    const { ingest, store } = first.service;
    await ingest.userList({ list_id: 'at://x/y', user_ids: ['b', 'a'], name: 'Editors' });
    await ingest.userList({ list_id: 'empty', user_ids: [] });
    await ingest.userList({ list_id: 'gone', user_ids: ['a'] });
    await ingest.userList({ list_id: 'gone', is_deleted: true });
    await ingest.userList({ list_id: 'at://x/y', add: ['erased'] });
    await ingest.deleteUser('erased');
    const target = new ExportFolder(folder, { force: false, gzip: false });
    await exportFiles(store, target);
    target.finish();
    expect(readFiles(folder)['lists.jsonl']).toBe(
      '{"list_id":"at://x/y","name":"Editors","user_ids":["a","b"]}\n{"list_id":"empty","user_ids":[]}\n',
    );
    await using second = await openTestService({});
    expect(await importFrom(second, folder)).toMatchObject({ accepted: 2, rejected: 0, printed: [] });
    expect(listsOf(second)).toEqual(listsOf(first) as never);
    const { seq } = second.service.state;
    expect(await importFrom(second, folder)).toMatchObject({ accepted: 2, unchanged: 2, changes: 0 });
    expect(second.service.state.seq).toBe(seq);
  }));

test('bad lines of lists are named with what is wrong, and the others are imported', () => {
  const lines = [
    { list_id: 'l0', user_ids: ['a', 'b'] },
    { list_id: 'l1', user_ids: 'a' },
    { user_ids: [] },
    { list_id: 'l2', user_ids: ['c'] },
    { list_id: 'l3', user_ids: ['a'], name: 'x' },
  ];
  return withFolder({ 'lists.jsonl': jsonl(lines) }, async (folder) => {
    await using opened = await openTestService({ opening: { limits: { list_entries: 2, lists: 3 } } });
    const { printed, ...counts } = await importFrom(opened, folder);
    expect(counts).toMatchObject({ accepted: 1, rejected: 4 });
    expect(printed.map((line) => line.split(';')[0])).toEqual([
      'lists.jsonl:2: user_ids: expected a list of at most 100,000 user identifiers',
      'lists.jsonl:3: list_id: is required',
      'lists.jsonl:4: the state can hold no more members of lists of users (limit 2)',
      expect.stringContaining('lists.jsonl:5'),
    ]);
    expect(listsOf(opened)).toEqual([['l0', '', ['a', 'b']]]);
  });
});
