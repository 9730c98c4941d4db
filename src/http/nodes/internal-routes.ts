import { Type } from '@sinclair/typebox';
import { CHECKPOINT_PATH } from '../../cluster/checkpoint-transfer.ts';
import { LEAVING_PATH } from '../../cluster/hand-over.ts';
import { KEY_USES_PATH } from '../../cluster/key-uses.ts';
import { SentShownSchema, SHOWN_PATH, takeShown } from '../../cluster/shown-at-leader.ts';
import { ServiceError } from '../../errors.ts';
import { NODES } from '../identity/admissions.ts';
import { schemaBody } from '../transport/body.ts';
import { parametersIn } from '../transport/parameters.ts';
import { urlOf } from '../transport/request-url.ts';
import { hiddenRoute } from '../transport/route.ts';
import { Written } from '../transport/written-answer.ts';

const KeyUsesSchema = Type.Object({
  uses: Type.Array(Type.Object({ key_id: Type.String(), used_at: Type.Number() })),
});

const LeavingSchema = Type.Object({ node_id: Type.String() });

/** Every node answers these, whether it leads or follows. */
const OF_NODES = { admit: NODES, answered_by: 'any' } as const;
/** Only the leader answers these: a node that takes the lead after it has begun to lead, and others refuse them. */
const OF_FOLLOWERS = { admit: NODES, answered_by: 'leader' } as const;

/** What nodes send each other under `/internal`. */
export const internalRoutes = [
  hiddenRoute('POST', KEY_USES_PATH, {
    ...OF_FOLLOWERS,
    body: schemaBody(KeyUsesSchema),
    async handle({ service, body: { uses } }) {
      await service.store.keys.noteUse(uses);
      return { stored: uses.length };
    },
  }),
  hiddenRoute('POST', LEAVING_PATH, {
    ...OF_NODES,
    body: schemaBody(LeavingSchema),
    async handle({ node, body: { node_id } }) {
      await node.leaderLeaves(node_id);
      return {};
    },
  }),
  hiddenRoute('POST', SHOWN_PATH, {
    ...OF_FOLLOWERS,
    body: schemaBody(SentShownSchema),
    handle: ({ service, body }) => takeShown(service.ingest.shown, body),
  }),
  hiddenRoute('GET', CHECKPOINT_PATH, {
    ...OF_NODES,
    async handle({ service, request }) {
      const { name, part } = parametersIn(urlOf(request).search);
      const path = await service.checkpoints?.current(String(name ?? ''), part === 'lists' ? part : 'state');
      const file = path === undefined ? undefined : Bun.file(path);
      if (file === undefined || !(await file.exists()))
        throw new ServiceError('not_found', 'there is no such checkpoint here');
      return new Written(file, 'application/octet-stream');
    },
  }),
];
