import { expect, test } from 'bun:test';
import { openingError } from '../../src/store/sqlite/connection.ts';

const BACKUP = 'from a backup';
const FULL = 'free some space';
const UNWRITABLE = 'make the folder writable';
const NEUTRAL = 'put right what the reason names';

const CASES: readonly (readonly [code: unknown, told: string, remedy: string])[] = [
  ['SQLITE_FULL', 'disk_full', FULL],
  ['SQLITE_IOERR_SHMSIZE', 'disk_full', FULL],
  ['ENOSPC', 'disk_full', FULL],
  ['EDQUOT', 'disk_full', FULL],
  ['SQLITE_CANTOPEN', 'data_unwritable', UNWRITABLE],
  ['SQLITE_READONLY_DBMOVED', 'data_unwritable', UNWRITABLE],
  ['EACCES', 'data_unwritable', UNWRITABLE],
  ['EROFS', 'data_unwritable', UNWRITABLE],
  ['SQLITE_CORRUPT', 'data_unreadable', BACKUP],
  ['SQLITE_CORRUPT_INDEX', 'data_unreadable', BACKUP],
  ['SQLITE_NOTADB', 'data_unreadable', BACKUP],
  ['SQLITE_IOERR_READ', 'data_unreadable', NEUTRAL],
  ['SQLITE_BUSY', 'data_unreadable', NEUTRAL],
  ['EMFILE', 'data_unreadable', NEUTRAL],
  [undefined, 'data_unreadable', NEUTRAL],
];

for (const [code, told, remedy] of CASES) {
  test(`${code ?? 'an error without a code'} is told as ${told}, with what to do`, () => {
    const error = openingError('/the/folder', Object.assign(new Error('the reason'), { code }));
    expect([error.name, error.code]).toEqual(['StartupError', told]);
    expect(error.message).toContain("'/the/folder'");
    expect(error.message).toContain('(the reason)');
    const remedies = [BACKUP, FULL, UNWRITABLE, NEUTRAL].filter((each) => error.remedy?.includes(each));
    expect(remedies).toEqual([remedy]);
    expect(error.message.includes('is full')).toBe(told === 'disk_full');
  });
}
