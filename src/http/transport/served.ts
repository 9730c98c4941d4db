import { Elysia } from 'elysia';
import { enter } from './enter.ts';
import { etagOf } from './etag.ts';
import type { Host } from './host.ts';
import type { Route } from './route.ts';

/**
 * The application of some routes. Elysia's context gets what `enter` makes of a request before the handler runs.
 *
 * The host is no decorator: when applications are joined, Elysia merges decorators with all that they refer to.
 */
export function served(host: Host, routes: readonly Route[]) {
  const app = new Elysia().macro({
    enters: (route: Route) => ({
      // Otherwise Elysia makes a text of the whole route.
      seed: `${route.method} ${route.path}`,
      resolve: async ({ request, params, set }) => ({
        entered: await enter(route, host, { request, params, set }),
      }),
    }),
  });
  for (const route of routes) {
    const handled = withEtag(route);
    const handle = async ({ entered }: { entered: Awaited<ReturnType<typeof enter>> }) =>
      'answer' in entered ? entered.answer : handled(entered.context);
    app.route(route.method, route.path, handle, { enters: route });
  }
  return app;
}

/** The handler of a route, which sends the revision of the object that it answers with. */
function withEtag({ handle, documented }: Route): Route['handle'] {
  const revisionOf = documented?.answer.revisionOf;
  if (revisionOf === undefined) return handle;
  return async (context) => {
    const answer = await handle(context);
    context.set.headers.etag = etagOf(revisionOf(answer));
    return answer;
  };
}
