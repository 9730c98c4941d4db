import { Elysia } from 'elysia';
import { operationOf } from '../openapi/operation.ts';
import { enter } from './enter.ts';
import type { Host } from './host.ts';
import type { Route } from './route.ts';

/** The application of some routes. Elysia's context gets what `enter` makes of a request before the handler runs. */
export function served(host: Host, routes: readonly Route[]) {
  const app = new Elysia().decorate('host', host).macro({
    enters: (route: Route) => ({
      resolve: async ({ request, params, set }) => ({
        entered: await enter(route, host, { request, params, set }),
      }),
    }),
  });
  for (const route of routes) {
    const handle = async ({ entered }: { entered: Awaited<ReturnType<typeof enter>> }) =>
      'answer' in entered ? entered.answer : route.handle(entered.context);
    app.route(route.method, route.path, handle, {
      enters: route,
      detail: route.documented === undefined ? { hide: true } : operationOf(route, route.documented),
    });
  }
  return app;
}
