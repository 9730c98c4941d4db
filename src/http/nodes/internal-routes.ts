import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { LEAVING_PATH } from '../../cluster/hand-over.ts';
import { KEY_USES_PATH } from '../../cluster/key-uses.ts';
import { leaderless } from '../../cluster/leader-client.ts';
import { SentShownSchema, SHOWN_PATH, takeShown } from '../../cluster/shown-at-leader.ts';
import { boundedBodies } from '../transport/bodies.ts';
import type { Host } from '../transport/host.ts';
import { peerOf } from './peers.ts';

const KeyUsesSchema = Type.Object({
  uses: Type.Array(Type.Object({ key_id: Type.String(), used_at: Type.Number() })),
});

const LeavingSchema = Type.Object({ node_id: Type.String() });

/** What nodes ask each other under `/internal`. It answers no one else. */
export function internalRoutes(host: Host) {
  const bounded = new Elysia().use(boundedBodies(host));
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
    SHOWN_PATH,
    async ({ request, body }) => {
      if (peerOf(host, request).role !== 'leader') throw leaderless();
      return takeShown(host.service.ingest.shown, body);
    },
    { parse: 'bounded_internal', body: SentShownSchema, detail: { hide: true } },
  );
}
