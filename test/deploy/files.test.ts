import { describe, expect, test } from 'bun:test';
import { hostname } from 'node:os';
import { instructionsOf } from '../../.ci/containerfile.ts';
import { variablesOf } from '../../src/secret-variable.ts';
import { readSettings, SETTINGS } from '../../src/settings.ts';
import { document } from '../docs/markdown.ts';
import { deployFiles, deployText } from './support.ts';

const FILES = deployFiles();
const README = deployText('README.md');

describe('the files of deploy/', () => {
  test('are all listed in its README', () => {
    const missing = FILES.filter((path) => path !== 'README.md' && !README.includes(`](${path})`));
    expect(missing).toEqual([]);
  });

  test('are the ones that docs/install.md installs', () => {
    const { text } = document('docs/install.md');
    const named = [...text.matchAll(/ deploy\/([\w./-]+) \//g)].map(([, path]) => path);
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((path) => !FILES.includes(path))).toEqual([]);
    // Where the files say that they belong.
    for (const [, path, place] of text.matchAll(/ deploy\/([\w./-]+) (\/\S+)/g))
      expect(deployText(path)).toContain(`Install as ${place}`);
  });

  test('name only settings that exist', () => {
    const known = new Set<string>(Object.values(SETTINGS).flatMap(variablesOf));
    const unknown = FILES.flatMap((path) =>
      [...deployText(path).matchAll(/\bFEEDLOOM_[A-Z_]+\b/g)]
        .filter(([name]) => !known.has(name))
        .map(([name]) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  test('give settings values that are allowed', () => {
    const lines = deployText('systemd/feedloom.env').matchAll(/^#?(FEEDLOOM_\w+)=(.*)$/gm);
    const of_unit = Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
    expect(Object.keys(of_unit).length).toBeGreaterThan(3);
    // The file is on the machine that is set up.
    const { FEEDLOOM_DATABASE_URL_FILE: file, ...others } = of_unit;
    expect(file).toStartWith('/etc/feedloom/');
    readSettings(others);
    readSettings(Object.fromEntries(instructionsOf(deployText('Containerfile')).env));
  });

  test('name no host but those of examples, registries and this machine itself', () => {
    const allowed =
      /^(([a-z]+\.)*example\.com|docker\.io|app\.kubernetes\.io|github\.com|192\.0\.2\.\d+|127\.0\.0\.1|0\.0\.0\.0)$/;
    const hosts = /\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|local|internal)\b|\b\d+(?:\.\d+){3}\b/g;
    const named = FILES.flatMap((path) =>
      [...deployText(path).matchAll(hosts)].map(([host]) => ({ path, host })),
    );
    expect(named.filter(({ host }) => !allowed.test(host))).toEqual([]);
  });

  test('name neither this machine nor folders of its accounts', () => {
    const machine = new RegExp(String.raw`/root\b|/home/|/Users/|//${RegExp.escape(hostname())}\b`);
    expect(FILES.filter((path) => machine.test(deployText(path)))).toEqual([]);
  });
});
