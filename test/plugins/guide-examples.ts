import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../support/feedloom.ts';

const PAGES = [...new Bun.Glob('docs/plugins/*.md').scanSync({ cwd: REPOSITORY })].sort();

/** What authors of plugins read: README.md, docs/plugins.md and docs/plugins/. */
export const GUIDE = ['README.md', 'docs/plugins.md', ...PAGES]
  .map((path) => readFileSync(join(REPOSITORY, path), 'utf8'))
  .join('\n');

/** The TypeScript examples, by the file name in their first line. */
export const EXAMPLES: ReadonlyMap<string, string> = new Map(
  [...GUIDE.matchAll(/^```ts\n\/\/ (\S+\.ts)\n(.*?)^```$/gms)].map(([, name, code]) => [name, code]),
);
