import { Elysia } from 'elysia';
import { ServiceError } from '../errors.ts';
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
    host.authenticate(request, 'ingest:write');
    return service;
  };
  for (const kind of KINDS) {
    routes.post(
      `/${kind}`,
      async ({ request, set }) => {
        const service = enter(request);
        const result = await service.ingest.ingest(kind, await readRecords(request));
        host.metrics.ingested(kind, result);
        return ingestAnswer(result, set);
      },
      { parse: 'none' },
    );
  }
  return routes
    .get('/items/:id', ({ request, params }) => storedItem(enter(request), decoded(params.id)))
    .get('/users/:id', ({ request, params }) => storedUser(enter(request), decoded(params.id)))
    .delete('/items/:id', async ({ request, params }) => {
      const service = enter(request);
      const item_id = decoded(params.id);
      await service.ingest.deleteItem(item_id);
      return { status: 'success', message: `item '${item_id}' deleted` };
    })
    .delete('/users/:id', async ({ request, params }) => {
      const service = enter(request);
      const user_id = decoded(params.id);
      await service.ingest.deleteUser(user_id);
      return { status: 'success', message: `user '${user_id}' erased` };
    });
}

/**
 * An identifier out of a path, percent-decoded by the router, which makes null of what it cannot decode.
 * @throws ServiceError `invalid_value`
 */
function decoded(id: string | null): string {
  if (id !== null) return id;
  throw new ServiceError('invalid_value', 'the identifier in the path is not percent-encoded UTF-8');
}
