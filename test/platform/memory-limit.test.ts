import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { memoryLimit } from '../../src/platform/memory-limit.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder('memory-limit');
const MACHINE = 8_000_000 * 1024;

/** A system with files by their paths. @returns its root */
function system(files: Record<string, string>): string {
  const root = `${join(folder, crypto.randomUUID())}/`;
  for (const [path, text] of Object.entries({ 'proc/meminfo': 'MemTotal:  8000000 kB\n', ...files })) {
    mkdirSync(dirname(root + path), { recursive: true });
    writeFileSync(root + path, text);
  }
  return root;
}

const SYSTEMS: [string, Record<string, string>, number][] = [
  ['a machine without control groups', {}, MACHINE],
  [
    'a group without a limit',
    {
      'proc/7/cgroup': '0::/system.slice/a.service\n',
      'sys/fs/cgroup/system.slice/a.service/memory.max': 'max\n',
    },
    MACHINE,
  ],
  [
    'a service of systemd',
    {
      'proc/7/cgroup': '0::/system.slice/a.service\n',
      'sys/fs/cgroup/system.slice/a.service/memory.max': '1000\n',
    },
    1000,
  ],
  [
    'a group within one that may use less',
    {
      'proc/7/cgroup': '0::/system.slice/a.service\n',
      'sys/fs/cgroup/system.slice/memory.max': '500\n',
      'sys/fs/cgroup/system.slice/a.service/memory.max': '1000\n',
    },
    500,
  ],
  ['a container', { 'proc/7/cgroup': '0::/\n', 'sys/fs/cgroup/memory.max': '2000\n' }, 2000],
  [
    'a container whose path is that of the machine',
    { 'proc/7/cgroup': '0::/docker/1\n', 'sys/fs/cgroup/memory.max': '2000\n' },
    2000,
  ],
  [
    'version 1 of control groups',
    {
      'proc/7/cgroup': '5:cpu,memory:/a\n1:pids:/b\n',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
      'sys/fs/cgroup/memory/a/memory.limit_in_bytes': '3000\n',
      'sys/fs/cgroup/memory/b/memory.limit_in_bytes': '1\n',
    },
    3000,
  ],
];

test.each(SYSTEMS)('the memory of %s is limited', (_, files, bytes) => {
  expect(memoryLimit(7, system(files))).toEqual({ bytes, is_of_group: bytes < MACHINE });
});

test('the memory of another system is not known', () => {
  expect(memoryLimit(7, `${folder}/nothing/`)).toBeUndefined();
});
