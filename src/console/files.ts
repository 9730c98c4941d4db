import { buildConsole, type ConsoleFiles } from './build.ts';

/** The name of an embedded file: its own, with a hash. */
const SCRIPT = /^console-\w+\.js$/;
const STYLES = /^console-\w+\.css$/;

/** The files of the console: those inside the executable, else built from the sources, which takes some 100 ms. */
export async function consoleFiles(): Promise<ConsoleFiles> {
  const embedded = (name: RegExp): Blob | undefined =>
    Bun.embeddedFiles.find((file) => 'name' in file && name.test(String(file.name)));
  const [script, styles] = [embedded(SCRIPT), embedded(STYLES)];
  if (script === undefined || styles === undefined) return buildConsole();
  return { script: await script.text(), styles: await styles.text() };
}
