import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { refusing, StartupError } from '../../errors.ts';
import { replaceFile } from '../../files/new-file.ts';
import { KIND_DATA } from '../../registry/kinds.ts';
import { print } from '../output.ts';
import { pluginText, TEMPLATES, testText } from './templates.ts';

const NAME = /^(?:([a-z0-9][a-z0-9-]*)\/)?([a-z0-9][a-z0-9_-]*)$/i;

/** File with the contract's types, for editors. */
const TYPES_FILE = 'feedloom-plugin.d.ts';
const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'ESNext',
  lib: ['ESNext', 'DOM'],
  module: 'Preserve',
  moduleResolution: 'bundler',
  skipLibCheck: true,
};

/**
 * `feedloom plugins new <kind> <name>`: writes a working plugin, its test and the configuration of editors into the
 * current folder.
 * @throws StartupError for an unknown kind, an invalid name, or a file that exists or cannot be written
 */
export async function newPlugin(word: string, name: string): Promise<void> {
  const template = Object.hasOwn(TEMPLATES, word) ? TEMPLATES[word] : undefined;
  if (template === undefined) {
    const known = Object.keys(TEMPLATES).join(', ');
    throw new StartupError('bad_setting', `there is no kind '${word}'`, `Kinds are ${known}.`);
  }
  const [, given, own] = NAME.exec(name) ?? [];
  if (own === undefined) {
    throw new StartupError(
      'plugin_bad_id',
      `'${name}' cannot be the id of a plugin`,
      'Take <name> or <namespace>/<name> of ASCII letters, digits, - and _.',
    );
  }
  const namespace = given ?? own.replaceAll('_', '-');
  const id = `${namespace}/${own}${KIND_DATA[template.kind].versioned ? '_v1.0.0' : ''}`;
  const tsconfig = `${JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] }, undefined, 2)}\n`;
  const files: [string, string][] = [
    [`${own}.ts`, pluginText(template, namespace, id)],
    [`${own}.test.ts`, testText(template, own, id)],
  ];
  for (const [file] of files) if (isThere(file)) throw alreadyThere(file);
  const { CONTRACT_TYPES } = await import('./contract.ts');
  files.push([TYPES_FILE, CONTRACT_TYPES]);
  if (!isThere('tsconfig.json')) files.push(['tsconfig.json', tsconfig]);
  write(files);
  print(
    nextSteps(
      own,
      id,
      files.map(([file]) => file),
    ),
  );
}

/** Writes all files, never through a link. On failure, the new files are removed, so that a retry can write them. */
function write(files: readonly [string, string][]): void {
  const added = files.map(([file]) => file).filter((file) => !isThere(file));
  try {
    for (const [file, text] of files) {
      writing(file, () =>
        added.includes(file) ? writeFileSync(file, text, { flag: 'wx' }) : replaceFile(file, text),
      );
    }
  } catch (error) {
    for (const file of added) {
      try {
        rmSync(file, { force: true });
      } catch {}
    }
    throw error;
  }
}

/** Whether the name exists, also as a broken link. @throws StartupError `unwritable_file` */
function isThere(file: string): boolean {
  return writing(file, () => lstatSync(file, { throwIfNoEntry: false })) !== undefined;
}

function writing<T>(file: string, work: () => T): T {
  return refusing('unwritable_file', `'${resolve(file)}' cannot be written`, work);
}

function alreadyThere(file: string): StartupError {
  return new StartupError('file_exists', `${file} exists already`, 'Choose another name, or remove it.');
}

function nextSteps(name: string, id: string, files: readonly string[]): string {
  const steps = [
    [`feedloom plugins check ${name}.ts`, 'checks the rules for every plugin'],
    [`feedloom plugins test ${name}.test.ts`, 'checks the rules, and runs your own cases'],
    [`feedloom plugins doc ${name}.ts`, `shows how a feed uses ${id}, and its options`],
    [`feedloom demo --plugins ${name}.ts`, 'runs the service with it, on a sample community'],
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  const lines = steps.map(([command, what]) => `  ${command.padEnd(width)}   ${what}`);
  return [`wrote ${files.join(', ')}`, '', ...lines].join('\n');
}
