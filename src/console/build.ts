import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ConsoleFiles {
  script: string;
  styles: string;
}

const BUILT = join(import.meta.dir, '..', '..', 'dist', 'console');
/** The entry point that embeds both files in the executable. */
const EMBEDDING = `import script from './console.js' with { type: 'file' };
import styles from './console.css' with { type: 'file' };
export default [script, styles];
`;

/** Bundles the app from its sources. @throws AggregateError with what is wrong in them */
export async function buildConsole(): Promise<ConsoleFiles> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'app', 'main.tsx')],
    target: 'browser',
    minify: true,
    // Both are compile-time settings of the app's libraries.
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const textOf = async (extension: string): Promise<string> => {
    const output = outputs.find(({ path }) => path.endsWith(extension));
    if (output === undefined) throw new Error(`the console has no ${extension} file`);
    return await output.text();
  };
  return { script: await textOf('.js'), styles: await textOf('.css') };
}

/** Writes both files and their entry point, from which the executable is built. */
export async function writeConsole(): Promise<void> {
  const { script, styles } = await buildConsole();
  mkdirSync(BUILT, { recursive: true });
  writeFileSync(join(BUILT, 'console.js'), script);
  writeFileSync(join(BUILT, 'console.css'), styles);
  writeFileSync(join(BUILT, 'embedded.ts'), EMBEDDING);
}
