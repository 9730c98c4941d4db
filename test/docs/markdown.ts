import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { REPOSITORY } from '../support/feedloom.ts';

/** The Markdown files of the repository as text, with what tests need to know of their form. */

export interface Document {
  /** From the root of the repository. */
  path: string;
  text: string;
}

export interface Block {
  /** The words after the opening fence: `sh`, `json FeedAnswer`. */
  kind: string;
  text: string;
  /** 1-based line of the opening fence. */
  line: number;
}

/** Every Markdown file, but those of packages. */
export function documents(): Document[] {
  const paths = ['*.md', '{deploy,docs,openapi,plugins,src,test,workloads}/**/*.md'].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: REPOSITORY }),
  ]);
  return paths
    .filter((path) => !path.includes('node_modules/'))
    .sort()
    .map(document);
}

export function document(path: string): Document {
  return { path, text: readFileSync(join(REPOSITORY, path), 'utf8') };
}

/** What stands between fences. */
export function blocksOf({ text }: Document): Block[] {
  return [...text.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map((match) => ({
    kind: match[1].trim(),
    text: match[2],
    line: text.slice(0, match.index).split('\n').length,
  }));
}

/** The text without what stands between fences and in backquotes. */
function prose(text: string): string {
  return text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');
}

/** Names by which links lead to headings, as GitHub makes them. */
export function anchorsOf({ text }: Document): Set<string> {
  const headings = text.replace(/^```.*?^```$/gms, '').matchAll(/^#{1,6} +(.+)$/gm);
  const anchors = new Set<string>();
  for (const [, heading] of headings) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
    const slug = plain
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Where links and images lead, those of diagrams too. */
function targetsOf(text: string): string[] {
  const links = [...prose(text).matchAll(/\]\(([^()\s]+)\)/g)];
  const clicks = [...text.matchAll(/^ *click \w+ "([^"]+)"/gm)];
  return [...links, ...clicks].map(([, target]) => target);
}

/** Relative links of a document that lead nowhere. */
export function brokenLinks(from: Document): string[] {
  return targetsOf(from.text)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file, anchor] = target.split('#', 2);
      const path = file === '' ? from.path : relative('.', join(dirname(from.path), file));
      if (!existsSync(join(REPOSITORY, path))) return true;
      return anchor !== undefined && !(path.endsWith('.md') && anchorsOf(document(path)).has(anchor));
    });
}
