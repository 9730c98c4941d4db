import { type Static, Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { IMPRESSIONS_PATH, type SentView } from '../cluster/consistency.ts';
import { LEAVING_PATH } from '../cluster/hand-over.ts';
import { KEY_USES_PATH } from '../cluster/key-uses.ts';
import { leaderless } from '../cluster/leader-client.ts';
import { boundedBodies } from './bodies.ts';
import type { Host } from './host.ts';
import { METRICS_PATH } from './metrics/of-processes.ts';
import { peerOf } from './peers.ts';
import { Written } from './written-answer.ts';

const KEY = Type.Integer({ minimum: -1, maximum: 2 ** 31 });

const SentViewSchema = Type.Object({
  user_id: Type.String(),
  user: KEY,
  erasures: Type.Integer({ minimum: 0 }),
  items: Type.Array(KEY),
  built_seq: Type.Integer({ minimum: 0 }),
  account: Type.String(),
  counted: Type.Optional(
    Type.Object({ arm: Type.Integer({ minimum: 1 }), is_short: Type.Integer({ minimum: 0, maximum: 1 }) }),
  ),
}) satisfies { static: SentView };

const KeyUsesSchema = Type.Object({
  uses: Type.Array(Type.Object({ key_id: Type.String(), used_at: Type.Number() })),
});

const LeavingSchema = Type.Object({ node_id: Type.String() });

/** What nodes ask each other under `/internal`. It answers no one else. */
export function internalRoutes(host: Host) {
  const metrics = new Elysia().get(
    METRICS_PATH,
    async ({ request }) => {
      peerOf(host, request);
      return new Written(await host.metrics.text(), host.metrics.content_type);
    },
    { detail: { hide: true } },
  );
  const bounded = metrics.use(boundedBodies(host));
  const key_uses = bounded.post(
    KEY_USES_PATH,
    async ({ request, body }) => {
      if (peerOf(host, request).role !== 'leader') throw leaderless();
      await host.service.store.keys.noteUse(body.uses);
      return { stored: body.uses.length };
    },
    { parse: 'bounded_internal', body: KeyUsesSchema, detail: { hide: true } },
  );
  const leaving = key_uses.post(
    LEAVING_PATH,
    async ({ request, body }) => {
      await peerOf(host, request).leaderLeaves(body.node_id);
      return {};
    },
    { parse: 'bounded_internal', body: LeavingSchema, detail: { hide: true } },
  );
  return leaving.post(
    IMPRESSIONS_PATH,
    async ({ request, body }) => {
      const cluster = peerOf(host, request);
      if (cluster.role !== 'leader') throw leaderless();
      const { items, built_seq, account, ...view }: Static<typeof SentViewSchema> = body;
      const { feeds, state } = host.service;
      const isCurrent = () => {
        const user = state.users.names.find(view.user_id);
        return user < 0 || cluster.reflects(state.users.names.key(user), built_seq);
      };
      const seen = { ...view, items: Uint32Array.from(items) };
      return { recorded: await feeds.recordView(seen, account, isCurrent) };
    },
    { parse: 'bounded_internal', body: SentViewSchema, detail: { hide: true } },
  );
}
