import { Elysia } from 'elysia';
import { KINDS } from '../registry/registry.ts';
import type { Host } from './app.ts';

/** Health, readiness and the list of plugins. */
export function operationsRoutes(host: Host) {
  return new Elysia()
    .get('/healthz', () => ({ status: 'ok' }))
    .get('/readyz', () => {
      const { loaded, refused_plugins } = host.ready();
      const refused = refused_plugins.map(({ code, message }) => ({ code, message }));
      return { status: 'ready', changes: loaded.changes, refused_plugins: refused };
    })
    .get('/metrics', async ({ set }) => {
      set.headers['content-type'] = host.metrics.content_type;
      return host.metrics.text();
    })
    .get('/api/plugins', ({ request }) => {
      const { registry } = host.ready();
      host.authenticate(request);
      const data = KINDS.flatMap((kind) =>
        registry.all(kind).map(({ id, extension, source, options }) => ({
          id,
          kind,
          summary: extension.summary,
          options: options.schema,
          source: source === 'built-in' ? source : 'external',
        })),
      );
      return { data };
    });
}
