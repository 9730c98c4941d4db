import { Elysia, t } from 'elysia';
import { LIMITS } from '../../src/limits.ts';

/** The fields of a feed request, validated by Elysia. */
const FeedRequestBody = t.Object({
  user_id: t.Optional(t.Union([t.String(), t.Integer()])),
  wallet_address: t.Optional(t.String({ minLength: 1, maxLength: LIMITS.id_length_max })),
  top_k: t.Optional(t.Integer({ minimum: 1, maximum: LIMITS.top_k_max_for_you })),
  impression_count: t.Optional(t.Integer({ minimum: 0 })),
  filters: t.Optional(t.Record(t.String(), t.Unknown())),
  scoring: t.Optional(
    t.Union([t.String(), t.Object({ name: t.String(), options: t.Optional(t.Unknown()) })]),
  ),
  show_interacted_items: t.Optional(t.Boolean()),
  remove_user_posts_from_feed: t.Optional(t.Boolean()),
  visibility_rules: t.Optional(t.Record(t.String(), t.Unknown())),
  return_metadata: t.Optional(t.Boolean()),
  seed: t.Optional(t.Integer()),
});

/**
 * Serves the upper bound that the framework allows.
 *
 * One route on the same Bun validates the body of a feed request and returns the page from standard input as an
 * object, which Elysia converts to JSON at each request. It prints its address and serves until it is killed.
 */
export async function serveBareHandler(): Promise<void> {
  const page: object = await Bun.stdin.json();
  const app = new Elysia().post('/*', () => page, { body: FeedRequestBody });
  app.listen({ port: 0, hostname: '127.0.0.1', idleTimeout: LIMITS.idle_connection_seconds_max });
  console.log(JSON.stringify({ address: `http://127.0.0.1:${app.server?.port}` }));
  await new Promise(() => {});
}
