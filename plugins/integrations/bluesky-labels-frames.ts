/** The frames of `com.atproto.label.subscribeLabels`: two CBOR objects, a header and a body. */
import { decode, decodeFirst } from 'cborg';
import { type ConnectorRecord, isoSecondsIn } from 'feedloom/plugin';
import { postIn } from './bluesky-records.ts';
import { idIn, isObject, type Json, objectIn, textIn } from './bluesky-records-events.ts';

/** The only version of labels. Those without one are older and have the same form. */
const VERSION = 1;

/** Values of labels that hide their subject from everybody, if their labeler is trusted. */
const HIDING: ReadonlySet<string> = new Set(['!hide', '!takedown', '!suspend']);

export type Frame =
  | { seq: number; labels: readonly unknown[] }
  | { notice: string }
  | { ending: string; detail: string }
  | { dropped: string };

/** Reads a frame. One that is not understood is `dropped`, with the reason. */
export function frameOf(bytes: Uint8Array): Frame {
  let header: Json;
  let body: Json;
  try {
    const [first, rest] = decodeFirst(bytes);
    header = objectIn(first);
    body = objectIn(decode(rest));
  } catch {
    // Not only errors of the decoder: deep nesting overflows the stack.
    return { dropped: 'broken frames' };
  }
  const [error, detail] = [textIn(body.error) ?? 'an unknown error', textIn(body.message) ?? ''];
  if (header.op === -1) return { ending: error, detail };
  if (header.op === 1 && header.t === '#info') return { notice: textIn(body.name) ?? 'without a name' };
  if (header.op !== 1 || header.t !== '#labels') return { dropped: 'unknown frames' };
  const { seq, labels } = body;
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 1 || !Array.isArray(labels))
    return { dropped: 'broken frames' };
  return { seq, labels };
}

/**
 * The record of a label, the reason why it is dropped, or undefined if it is about something else than a post or an
 * account. A label of one version of a post (`cid`) counts for the post, as in the Bluesky app: after an edit it stands
 * until it is negated.
 */
export function recordOf(
  label: unknown,
  labeler: string,
  is_trusted: boolean,
): ConnectorRecord | { dropped: string } | undefined {
  if (!isObject(label)) return { dropped: 'broken labels' };
  const { src, uri, val, cts, exp, neg, ver } = label;
  if (src !== labeler) return { dropped: 'labels of other labelers' };
  if (ver !== undefined && ver !== VERSION) return { dropped: `labels of an unknown version` };
  const timestamp = isoSecondsIn(cts);
  const expires_at = exp === undefined ? undefined : isoSecondsIn(exp);
  const is_dated = timestamp !== undefined && (exp === undefined || expires_at !== undefined);
  if (typeof uri !== 'string' || typeof val !== 'string' || !is_dated) return { dropped: 'broken labels' };
  const [item_id, user_id] = [postIn(uri), idIn(uri)];
  if (item_id === undefined && user_id === undefined) return undefined;
  return {
    kind: 'label',
    record: {
      labeler_id: labeler,
      ...(item_id === undefined ? { user_id } : { item_id }),
      value: val,
      action: neg === true ? 'remove' : 'add',
      timestamp: Math.max(0, timestamp),
      ...(expires_at !== undefined && { expires_at: Math.max(0, expires_at) }),
      hides: is_trusted && HIDING.has(val),
    },
  };
}
