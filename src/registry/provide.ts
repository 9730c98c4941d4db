/**
 * Makes modules available by name to all files that are loaded from now on, wherever the files are.
 *
 * This affects the whole process, because module resolution is global.
 */
export function provideModules(modules: Record<string, object>): void {
  Bun.plugin({
    name: 'feedloom-contract',
    setup(build) {
      for (const [name, exports] of Object.entries(modules)) {
        build.module(name, () => ({ exports: { ...exports }, loader: 'object' }));
      }
    },
  });
}
