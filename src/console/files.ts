import { type BrowserApp, type BrowserFiles, buildApp } from './build.ts';

/** The files of an app: those inside the executable, else built from the sources, which takes some 100 ms. */
export async function browserFiles(app: BrowserApp): Promise<BrowserFiles> {
  // The name of an embedded file is its own, with a hash.
  const embedded = (extension: string): Blob | undefined => {
    const name = new RegExp(`^${app}-\\w+\\.${extension}$`);
    return Bun.embeddedFiles.find((file) => 'name' in file && name.test(String(file.name)));
  };
  const [script, styles] = [embedded('js'), embedded('css')];
  if (script === undefined || styles === undefined) return buildApp(app);
  return { script: await script.text(), styles: await styles.text() };
}
