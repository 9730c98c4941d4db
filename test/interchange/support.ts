import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExportFolder } from '../../src/interchange/export-folder.ts';
import { exportFiles, exportWallets } from '../../src/interchange/exporter.ts';
import { readFolder } from '../../src/interchange/files.ts';
import { type ImportResult, importFiles, importWallets } from '../../src/interchange/importer.ts';
import { ImportLog } from '../../src/interchange/report.ts';
import type { State } from '../../src/state/state.ts';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openTestService, type TestService } from '../support/service.ts';

/** Texts of files by name. The text of a name that ends in `.gz` is compressed. */
export type Files = Record<string, string | Uint8Array>;

/** Runs `work` with a folder that contains these files, and removes it. */
export async function withFolder<T>(files: Files, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'feedloom-files-'));
  try {
    writeFiles(folder, files);
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder with these files, which is removed after the test. */
export function folderWith(files: Files): string {
  const folder = temporaryFolder('files');
  writeFiles(folder, files);
  return folder;
}

/** Writes files into a folder, which is created if missing. */
export function writeFiles(folder: string, files: Files): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const compressed = name.endsWith('.gz') && typeof text === 'string';
    writeFileSync(join(folder, name), compressed ? Bun.gzipSync(text) : text);
  }
}

/** Every file of a folder as text. */
export function readFiles(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

/** The result of an import. */
export interface ImportOutput extends ImportResult {
  /** The printed lines. */
  lines: string[];
}

/** Imports a folder into a running test service, and files of wallets into theirs. */
export async function importInto(
  { service }: Pick<TestService, 'service'>,
  folder: string,
  strict = false,
): Promise<ImportOutput> {
  const { alpha, settings } = service;
  const lines: string[] = [];
  const log = new ImportLog(strict, (line) => lines.push(line));
  const found = readFolder(folder);
  const content = await importFiles(service, found, log, () => {});
  if (found.wallet_files.length === 0) return { ...content, lines };
  const target = { ...(await alpha.create()), settings };
  const wallets = await importWallets(target, found, alpha.chain, log);
  const files = [...content.files, ...wallets.files];
  return { ...content, files, changes: content.changes + wallets.changes, lines };
}

/** The items of both communities. @param counts which of them; default: all */
export function itemsOf(
  { service }: Pick<TestService, 'service'>,
  counts: (state: State, item: number) => boolean = () => true,
): string[] {
  return [service.state, service.alpha.community?.state ?? []].flat().flatMap((state) => {
    const items = Array.from({ length: state.items.size }, (_, item) => item);
    return items.filter((item) => counts(state, item)).map((item) => state.items.names.id(item));
  });
}

/** Imports files into a fresh service and runs `work` with it. */
export function withImported<T>(
  files: Files,
  work: (opened: TestService, output: ImportOutput, folder: string) => Promise<T>,
): Promise<T> {
  return withService((opened) =>
    withFolder(files, async (folder) => work(opened, await importInto(opened, folder), folder)),
  );
}

/** Runs `work` with a fresh service, then closes and removes it. */
export async function withService<T>(work: (opened: TestService) => Promise<T>): Promise<T> {
  const opened = await openTestService();
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** Exports a running test service, as a separate process would. */
export async function exportFrom({ service }: Pick<TestService, 'service'>, folder: string): Promise<void> {
  const store = await openStore({ ...service.settings, role: 'beside', command: 'test' });
  try {
    const target = new ExportFolder(folder, { force: false, gzip: false });
    await exportFiles(store, target, undefined, undefined, service.clock);
    if (service.alpha.community !== undefined) await exportWallets(service.alpha.community.store, target);
    target.finish();
  } finally {
    await store.close();
  }
}

/** The exported files of a service. */
export async function exported(opened: Pick<TestService, 'service'>): Promise<Record<string, string>> {
  return withFolder({}, async (folder) => {
    await exportFrom(opened, folder);
    return readFiles(folder);
  });
}

/** Records as the text of a JSONL file. */
export function jsonl(records: Iterable<object>): string {
  let text = '';
  for (const record of records) text += `${JSON.stringify(record)}\n`;
  return text;
}
