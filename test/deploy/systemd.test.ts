import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../interchange/support.ts';
import { feedloom } from '../support/feedloom.ts';
import { deployText, isInstalled } from './support.ts';

const UNIT = deployText('systemd/feedloom.service');

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

const DIRECTIVES = directivesOf(UNIT);
const valuesOf = (name: string) => DIRECTIVES.filter((each) => each.name === name).map(({ value }) => value);

describe('the systemd unit', () => {
  test('runs the service as an account of its own, without rights', () => {
    expect(valuesOf('User')).toEqual(['feedloom']);
    expect(valuesOf('CapabilityBoundingSet')).toEqual(['']);
    const on = ['NoNewPrivileges', 'PrivateDevices', 'PrivateTmp', 'ProtectHome', 'RestrictSUIDSGID'];
    for (const name of on) expect([name, ...valuesOf(name)]).toEqual([name, 'yes']);
    expect(valuesOf('ProtectSystem')).toEqual(['strict']);
  });

  test('may write the folder that the service uses, and no other', () => {
    const [folder] = valuesOf('StateDirectory');
    expect(valuesOf('Environment')).toEqual([`FEEDLOOM_DATA=/var/lib/${folder}`]);
    expect(valuesOf('ReadWritePaths')).toEqual([]);
  });

  test('has as many open files as the documents recommend', () => {
    expect(valuesOf('LimitNOFILE')).toEqual(['65536']);
  });

  test('repeats only directives that systemd adds up', () => {
    const names = DIRECTIVES.map(({ name }) => name);
    const repeated = names.filter((name, index) => names.indexOf(name) !== index);
    expect(new Set(repeated)).toEqual(new Set(['SystemCallFilter']));
  });

  test.skipIf(!isInstalled('systemd-analyze'))('is accepted by systemd-analyze, if it is installed', () =>
    withFolder({}, async (folder) => {
      const unit = join(folder, 'feedloom.service');
      writeFileSync(unit, UNIT.replace('/usr/local/bin/feedloom', feedloom()));
      const verify = Bun.spawnSync(['systemd-analyze', 'verify', '--man=no', unit]);
      const told = verify.stderr.toString().split('\n');
      // It also complains about other units of the machine.
      expect(told.filter((line) => line.includes('feedloom.service'))).toEqual([]);
      const security = ['security', '--offline=yes', `--threshold=${EXPOSURE_MAX}`, unit];
      const { stdout, exitCode } = Bun.spawnSync(['systemd-analyze', '--no-pager', ...security]);
      expect([exitCode, stdout.toString().trim().split('\n').at(-1)]).toEqual([
        0,
        expect.stringMatching(/exposure level for feedloom.service: \d/),
      ]);
    }),
  );
});
