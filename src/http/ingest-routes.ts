import { Elysia } from 'elysia';
import type { RecordKind } from '../ingest/ingest.ts';
import type { Host } from './app.ts';
import { readRecords } from './body.ts';
import { ingestAnswer } from './ingest-answer.ts';
import { storedItem, storedUser } from './stored-records.ts';

const KINDS: readonly RecordKind[] = ['items', 'users', 'follows', 'blocks', 'interactions'];

/** Ingest, deletion and reading back of records under `/v2/<network>`. */
export function ingestRoutes(host: Host, network: string) {
  const routes = new Elysia({ prefix: `/v2/${network}` });
  const enter = (request: Request) => {
    const service = host.ready();
    host.keys().authenticate(request.headers, 'ingest:write');
    return service;
  };
  for (const kind of KINDS) {
    routes.post(
      `/${kind}`,
      async ({ request, set }) => {
        const service = enter(request);
        const result = await service.ingest.ingest(kind, await readRecords(request));
        return ingestAnswer(result, set);
      },
      { parse: 'none' },
    );
  }
  return routes
    .get('/items/:id', ({ request, params }) => storedItem(enter(request), params.id))
    .get('/users/:id', ({ request, params }) => storedUser(enter(request), params.id))
    .delete('/items/:id', async ({ request, params }) => {
      await enter(request).ingest.deleteItem(params.id);
      return { status: 'success', message: `item '${params.id}' deleted` };
    })
    .delete('/users/:id', async ({ request, params }) => {
      await enter(request).ingest.deleteUser(params.id);
      return { status: 'success', message: `user '${params.id}' erased` };
    });
}
