import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sectionsOf } from './docs-sections.ts';

const REPOSITORY = join(import.meta.dir, '..', '..', '..');

/** A document of the site. */
export interface SiteDocument {
  /** From the root of the repository. */
  path: string;
  /** Last part of its address. */
  name: string;
  group: string;
  title: string;
  /** What it is for. Undefined: it is the README. */
  purpose?: string;
  /** It belongs to the one before it, and the README's table does not name it. */
  is_below: boolean;
  markdown: string;
}

/** A row of the README's table: a group in bold, or a document with its purpose. */
const ROW = /^\| (?:\*\*(.+)\*\* \| \||\[\S+\]\((\S+\.md)\) \| (.+) \|)$/gm;
/** How the sources are organised. Readers of these have the sources. */
const OF_SOURCES = /^(src|test)\//;

export function readDocument(path: string): Buffer {
  return readFileSync(join(REPOSITORY, path));
}

/** `docs/api.md` → `api`, `deploy/patroni/README.md` → `deploy-patroni`. */
function nameOf(path: string): string {
  const name = path.replace(/^docs\//, '').replace(/(\/README)?\.md$/, '');
  return name.replaceAll('/', '-').toLowerCase();
}

/** The first sentence of a document. */
function firstSentence(markdown: string): string {
  const [sentence] = sectionsOf(markdown)[0].text.split(/[.:](?=\s)/);
  return sentence.replaceAll('\n', ' ');
}

/**
 * The documents by group, in the order of the README's table, which is the only list of them. READMEs in folders below
 * that of a listed README follow it, and the documents in a folder of the name of a listed document.
 */
export function siteDocuments(): SiteDocument[] {
  const documents = new Map<string, SiteDocument>();
  const rows = [...`${readDocument('README.md')}`.matchAll(ROW)];
  const listed = new Set(rows.map(([, , path]) => path));
  let group = '';
  const add = (path: string, purpose?: string, is_below = false): void => {
    if (documents.has(path)) return;
    const markdown = `${readDocument(path)}`;
    const title = /^# (.+)$/m.exec(markdown)?.[1] ?? path;
    const about = is_below ? firstSentence(markdown) : purpose;
    documents.set(path, { path, name: nameOf(path), group, title, purpose: about, is_below, markdown });
  };
  for (const [, named_group, path, purpose] of rows) {
    group = named_group ?? group;
    if (documents.size === 0) add('README.md');
    if (path === undefined || OF_SOURCES.test(path)) continue;
    add(path, purpose);
    for (const below of documentsBelow(path)) if (!listed.has(below)) add(below, undefined, true);
  }
  return [...documents.values()];
}

/** `deploy/README.md` → all READMEs in `deploy/`, `docs/plugins.md` → all of `docs/plugins/`. */
function documentsBelow(path: string): string[] {
  const is_readme = path.endsWith('/README.md');
  const folder = is_readme ? dirname(path) : path.replace(/\.md$/, '');
  if (!existsSync(join(REPOSITORY, folder))) return [];
  const files = readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' });
  const of_site = is_readme ? /^(?!.*node_modules\/).+\/README\.md$/ : /^[\w-]+\.md$/;
  return files
    .filter((file) => of_site.test(file))
    .sort()
    .map((file) => join(folder, file));
}
