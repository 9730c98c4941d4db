/**
 * Gives files that are loaded from now on these modules by name, wherever the files lie. Process-wide, because
 * module resolution is.
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
