import { expect, test } from 'bun:test';
import { openingError } from '../../src/store/sqlite/connection.ts';

const BACKUP = 'from a backup';
const FULL = 'free some space';
const UNWRITABLE = 'make the folder writable';
const NEUTRAL = 'fix the cause';

const CASES: readonly (readonly [code: unknown, expected_code: string, remedy: string])[] = [
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

for (const [code, expected_code, remedy] of CASES) {
  test(`${code ?? 'an error without a code'} is reported as ${expected_code} with a remedy`, () => {
    const error = openingError('/the/folder', Object.assign(new Error('the reason'), { code }));
    expect([error.name, error.code]).toEqual(['StartupError', expected_code]);
    expect(error.message).toContain("'/the/folder'");
    expect(error.message).toContain('(the reason)');
    const remedies = [BACKUP, FULL, UNWRITABLE, NEUTRAL].filter((each) => error.remedy?.includes(each));
    expect(remedies).toEqual([remedy]);
    expect(error.message.includes('is full')).toBe(expected_code === 'disk_full');
  });
}
