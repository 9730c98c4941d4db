import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withFolder } from '../interchange/support.ts';
import { feedloom } from '../support/feedloom.ts';
import { deployText, isInstalled } from './support.ts';

const [SERVICE, BACKUP] = ['feedloom.service', 'feedloom-backup.service'];
const TIMER = 'feedloom-backup.timer';

/** The largest exposure that `systemd-analyze security` may report, in tenths. */
const EXPOSURE_MAX = 15;

interface Directive {
  section: string;
  name: string;
  value: string;
}

/** The directives of a unit. @throws Error for a line that is none */
function directivesOf(text: string): Directive[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    const [, header] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (header !== undefined) section = header;
    if (header !== undefined || line === '' || line.startsWith('#')) return [];
    const [, name, value] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? [];
    if (name === undefined || section === '') throw new Error(`not a directive: ${line}`);
    return [{ section, name, value }];
  });
}

const textOf = (unit: string) => deployText(`systemd/${unit}`);
const valuesIn = (unit: string) => {
  const directives = directivesOf(textOf(unit));
  return (name: string) => directives.filter((each) => each.name === name).map(({ value }) => value);
};

/** What `systemd-analyze verify` says of a unit; it also complains about other units of the machine. */
function faultsOf(file: string): string[] {
  const { stderr } = Bun.spawnSync(['systemd-analyze', 'verify', '--man=no', file]);
  return stderr
    .toString()
    .split('\n')
    .filter((line) => line.includes(basename(file)));
}

describe.each([SERVICE, BACKUP])('the systemd unit %s', (unit) => {
  const valuesOf = valuesIn(unit);

  test('runs as an account of its own, without rights', () => {
    expect(valuesOf('User')).toEqual(['feedloom']);
    expect(valuesOf('CapabilityBoundingSet')).toEqual(['']);
    const on = ['NoNewPrivileges', 'PrivateDevices', 'PrivateTmp', 'ProtectHome', 'RestrictSUIDSGID'];
    for (const name of on) expect([name, ...valuesOf(name)]).toEqual([name, 'yes']);
    expect(valuesOf('ProtectSystem')).toEqual(['strict']);
  });

  test('may write the folders that it uses, and no other', () => {
    const [folder] = valuesOf('StateDirectory');
    expect(valuesOf('Environment')).toEqual([`FEEDLOOM_DATA=/var/lib/${folder}`]);
    const written = /feedloom backup (\S+)/.exec(valuesOf('ExecStart')[0])?.slice(1) ?? [];
    expect(valuesOf('ReadWritePaths')).toEqual(written);
  });

  test('repeats only directives that systemd adds up', () => {
    const names = directivesOf(textOf(unit)).map(({ name }) => name);
    const repeated = names.filter((name, index) => names.indexOf(name) !== index);
    expect(new Set(repeated)).toEqual(new Set(['SystemCallFilter']));
  });

  test.skipIf(!isInstalled('systemd-analyze'))('is accepted by systemd-analyze, if it is installed', () =>
    withFolder({}, async (folder) => {
      const file = join(folder, unit);
      writeFileSync(file, textOf(unit).replace('/usr/local/bin/feedloom', feedloom()));
      expect(faultsOf(file)).toEqual([]);
      const security = ['security', '--offline=yes', `--threshold=${EXPOSURE_MAX}`, file];
      const { stdout, exitCode } = Bun.spawnSync(['systemd-analyze', '--no-pager', ...security]);
      expect([exitCode, stdout.toString().trim().split('\n').at(-1)]).toEqual([
        0,
        expect.stringContaining(`exposure level for ${unit}: `),
      ]);
    }),
  );
});

test('the service has as many open files as the documents recommend', () => {
  expect(valuesIn(SERVICE)('LimitNOFILE')).toEqual(['65536']);
});

describe('the timer of the backup', () => {
  test('starts the unit of its name every day, also after the machine was off', () => {
    const valuesOf = valuesIn(TIMER);
    expect(valuesOf('Unit')).toEqual([]);
    expect(BACKUP.replace('.service', '.timer')).toBe(TIMER);
    expect(valuesIn(BACKUP)('Type')).toEqual(['oneshot']);
    expect([valuesOf('Persistent'), valuesOf('WantedBy')]).toEqual([['yes'], ['timers.target']]);
  });

  test.skipIf(!isInstalled('systemd-analyze'))('is accepted by systemd-analyze, if it is installed', () =>
    withFolder({}, async (folder) => {
      for (const unit of [TIMER, BACKUP])
        writeFileSync(join(folder, unit), textOf(unit).replace('/usr/local/bin/feedloom', feedloom()));
      expect(faultsOf(join(folder, TIMER))).toEqual([]);
      const [calendar] = valuesIn(TIMER)('OnCalendar');
      expect(Bun.spawnSync(['systemd-analyze', 'calendar', calendar]).success).toBe(true);
    }),
  );
});
