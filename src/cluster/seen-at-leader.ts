import { type Static, Type } from '@sinclair/typebox';
import type { KnownSeen, SeenStore, SeenWrite, StoredSeen } from '../seen/seen-store.ts';
import { jsonOf, problemFrom, type WholeAnswer } from './leader-client.ts';
import type { ClusterNode } from './node.ts';

/** Where the leader takes rows of seen items. */
export const SEEN_PATH = '/internal/seen';

const COUNT = Type.Integer({ minimum: 0 });
const CONTENT = Type.String();

/** `SeenWrite` as one node sends it to another: contents as base64. */
export const SentSeenSchema = Type.Object({
  writes: Type.Array(
    Type.Object({
      viewer: Type.String({ pattern: '^[0-9a-f]{32}$' }),
      built_from: COUNT,
      number: COUNT,
      updated_at: Type.Number(),
      content: CONTENT,
      parts: Type.Array(Type.Object({ part: Type.Integer({ minimum: 1 }), content: CONTENT })),
      counted: Type.Optional(
        Type.Object({
          arm: Type.Integer({ minimum: 1 }),
          timestamp: Type.Number(),
          is_short: Type.Boolean(),
          items: Type.Array(COUNT),
        }),
      ),
    }),
  ),
});

type SentSeen = Static<typeof SentSeenSchema>;

/** The rows of a data folder. Its only writer is the process that leads, so the others send it what they record. */
export class SeenAtLeader implements SeenStore {
  constructor(
    private readonly node: ClusterNode,
    private readonly store: SeenStore,
  ) {}

  read(known: readonly KnownSeen[], given_up?: AbortSignal): Promise<StoredSeen[]> {
    return this.store.read(known, given_up);
  }

  async write(writes: readonly SeenWrite[]): Promise<string[]> {
    const { hand_over, to_leader } = this.node;
    while (hand_over.is_under_way) await hand_over.ended();
    if (this.node.role === 'leader') return this.store.write(writes);
    const whole = await to_leader.request({
      method: 'POST',
      path: SEEN_PATH,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sentSeen(writes)),
    });
    return writtenOf(whole);
  }
}

/** @returns what the leader answers */
export async function writeSent(store: SeenStore, { writes }: SentSeen): Promise<{ written: string[] }> {
  const content = <T extends { content: string }>(each: T) => ({
    ...each,
    content: Uint8Array.fromBase64(each.content),
  });
  const decoded = writes.map(({ counted, ...write }) => ({
    ...content(write),
    parts: write.parts.map(content),
    counted: counted && { ...counted, items: Uint32Array.from(counted.items) },
  }));
  return { written: await store.write(decoded) };
}

function sentSeen(writes: readonly SeenWrite[]): SentSeen {
  const content = <T extends { content: Uint8Array }>(each: T) => ({
    ...each,
    content: each.content.toBase64(),
  });
  return {
    writes: writes.map(({ counted, ...write }) => ({
      ...content(write),
      parts: write.parts.map(content),
      counted: counted && { ...counted, items: [...counted.items] },
    })),
  };
}

function writtenOf(whole: WholeAnswer): string[] {
  const { written } = (jsonOf(whole) ?? {}) as { written?: unknown };
  if (Array.isArray(written)) return written;
  throw problemFrom(whole);
}
