import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the browser loads for one app. */
export interface BrowserFiles {
  script: string;
  styles: string;
}

const ENTRY_POINTS = { console: 'main.tsx', site: 'site/main.tsx' };
export type BrowserApp = keyof typeof ENTRY_POINTS;
const APPS: readonly BrowserApp[] = ['console', 'site'];

const BUILT = join(import.meta.dir, '..', '..', 'dist', 'console');

/** Bundles an app from its sources. @throws AggregateError with what is wrong in them */
export async function buildApp(app: BrowserApp): Promise<BrowserFiles> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'app', ENTRY_POINTS[app])],
    target: 'browser',
    format: 'iife',
    minify: true,
    // Both are compile-time settings of the app's libraries.
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const textOf = async (extension: string): Promise<string> => {
    const output = outputs.find(({ path }) => path.endsWith(extension));
    if (output === undefined) throw new Error(`${app} has no ${extension} file`);
    return await output.text();
  };
  return { script: await textOf('.js'), styles: await textOf('.css') };
}

/** Writes the files of all apps, and the entry point that embeds them in the executable. */
export async function writeApps(): Promise<void> {
  mkdirSync(BUILT, { recursive: true });
  for (const app of APPS) {
    const { script, styles } = await buildApp(app);
    writeFileSync(join(BUILT, `${app}.js`), script);
    writeFileSync(join(BUILT, `${app}.css`), styles);
  }
  const files = APPS.flatMap((app) => [`${app}.js`, `${app}.css`]);
  const imports = files.map((file, index) => `import f${index} from './${file}' with { type: 'file' };\n`);
  const names = files.map((_, index) => `f${index}`);
  writeFileSync(join(BUILT, 'embedded.ts'), `${imports.join('')}export default [${names.join(', ')}];\n`);
}
