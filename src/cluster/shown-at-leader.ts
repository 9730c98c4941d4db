import { type Static, Type } from '@sinclair/typebox';
import type { LoggedPage, SendShown, ShownLog } from '../ingest/shown-log.ts';
import { shownPageBytes, shownPageOf } from '../model/shown-page.ts';
import { jsonOf, problemFrom } from './leader-client.ts';
import type { ClusterNode } from './node.ts';

/** Where the leader takes shown pages for the log. */
export const SHOWN_PATH = '/internal/shown';

/** How long to wait for the leader. The pages are dropped afterwards. */
const PATIENCE_MS = 5_000;

const VIEWER = Type.String({ pattern: '^[0-9a-f]{32}$' });
const HALVINGS = Type.Integer({ minimum: 0, maximum: 32 });

/** `LoggedPage` as one node sends it to another: bytes as base64. */
export const SentShownSchema = Type.Object({
  pages: Type.Array(Type.Object({ viewer: VIEWER, halvings: HALVINGS, page: Type.String() })),
});

/** Sends pages to the node that leads. Undefined while this node leads. */
export function shownSender(cluster: ClusterNode): SendShown | undefined {
  if (cluster.role === 'leader') return undefined;
  return async (pages) => {
    const body = { pages: pages.map(sentPage) };
    const whole = await cluster.to_leader.postJson(SHOWN_PATH, body, PATIENCE_MS);
    const { halvings } = (jsonOf(whole) ?? {}) as { halvings?: unknown };
    if (typeof halvings !== 'number') throw problemFrom(whole);
    return halvings;
  };
}

/** @returns what the leader answers */
export async function takeShown(
  log: Pick<ShownLog, 'take'>,
  { pages }: Static<typeof SentShownSchema>,
): Promise<{ halvings: number }> {
  const decoded = pages.map(({ viewer, halvings, page }) => ({
    viewer,
    halvings,
    page: shownPageOf(Uint8Array.fromBase64(page)),
  }));
  return { halvings: await log.take(decoded) };
}

function sentPage({ viewer, halvings, page }: LoggedPage) {
  return { viewer, halvings, page: shownPageBytes(page).toBase64() };
}
