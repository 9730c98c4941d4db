/**
 * acme/outbox_v1.0.0: a connector that reads the outbox of one ActivityPub actor: notes become items, and announced
 * notes become shares. Wire format: https://www.w3.org/TR/activitypub/#outbox and
 * https://www.w3.org/TR/activitystreams-vocabulary/. An outbox lists the latest activity first.
 */
import { setTimeout as passed } from 'node:timers/promises';
import {
  type ConnectorHost,
  type ConnectorRecord,
  defineIntegration,
  definePlugin,
  EMITTED_RECORDS_MAX,
  fetchBounded,
  Type,
} from 'feedloom/plugin';

type Json = Record<string, unknown>;

/** An activity that was read. The cursor is its time and its id. */
interface Activity {
  id: string;
  /** seconds */
  time: number;
  record: ConnectorRecord;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
/** The id of an object that is given itself or by its id. */
const idIn = (value: unknown): string | undefined => textIn(isObject(value) ? value.id : value);

/** Undefined for kinds of activity that are not read. @throws Error that names what is wrong */
function activityOf(value: unknown): Activity | undefined {
  if (!isObject(value)) throw new Error('it is not an object');
  const { type, object } = value;
  const [id, actor, time] = [
    idIn(value),
    idIn(value.actor),
    Date.parse(textIn(value.published) ?? '') / 1000,
  ];
  if (type !== 'Create' && type !== 'Announce') return undefined;
  if (id === undefined || actor === undefined || Number.isNaN(time))
    throw new Error("it needs 'id', 'actor' and 'published'");
  const item_id = idIn(object);
  if (item_id === undefined) throw new Error("it has no 'object' with an 'id'");
  if (type === 'Announce') {
    const share = { user_id: actor, item_id, event_type: 'share', timestamp: time, event_id: id };
    return { id, time, record: { kind: 'interaction', record: share } };
  }
  if (!isObject(object) || object.type !== 'Note') return undefined;
  const item = {
    item_id,
    author_id: idIn(object.attributedTo) ?? actor,
    created_at: time,
    text: textIn(object.content) ?? '',
    text_format: 'html',
    parent_item_id: idIn(object.inReplyTo),
  };
  return { id, time, record: { kind: 'item', record: item } };
}

async function fetched(url: string, signal: AbortSignal): Promise<Json> {
  const headers = { accept: 'application/activity+json' };
  const answer = await fetchBounded(url, { headers, signal, timeout_ms: 30_000, bytes_max: 1024 * 1024 });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  const body = await answer.json();
  if (!isObject(body)) throw new Error(`${url} answered no object`);
  return body;
}

/** The activities after the cursor, the oldest first. */
async function news(url: string, pages_max: number, cursor: string | undefined, host: ConnectorHost) {
  const [last_time = 0, last_id] = cursor === undefined ? [] : cursor.split(' ');
  const found: Activity[] = [];
  const outbox = await fetched(url, host.signal);
  let page: unknown = outbox.first ?? outbox;
  for (let pages = 0; page !== undefined && pages < pages_max; pages++) {
    const content = typeof page === 'string' ? await fetched(page, host.signal) : page;
    if (!isObject(content)) break;
    for (const entry of Array.isArray(content.orderedItems) ? content.orderedItems : []) {
      try {
        const activity = activityOf(entry);
        if (activity === undefined) continue;
        if (activity.id === last_id || activity.time < Number(last_time)) return found.reverse();
        found.push(activity);
      } catch (error) {
        host.log.warn(`an activity was skipped: ${error instanceof Error ? error.message : error}`);
      }
    }
    page = content.next;
  }
  return found.reverse();
}

export default definePlugin({
  meta: { name: 'acme', version: '1.0.0', api: 2 },
  integrations: {
    'acme/outbox_v1.0.0': defineIntegration({
      summary: 'The notes and shares of one ActivityPub actor.',
      options: Type.Object(
        {
          url: Type.String({
            pattern: '^https?://.',
            description: 'the address of the outbox, http:// or https://',
          }),
          every_seconds: Type.Number({
            minimum: 1,
            maximum: 240,
            default: 60,
            description: 'time between two visits',
          }),
          pages_max: Type.Integer({
            minimum: 1,
            maximum: 1000,
            default: 100,
            description: 'pages that are read of an outbox at most',
          }),
        },
        { additionalProperties: false, examples: [{ url: 'https://social.example/users/ann/outbox' }] },
      ),
      connect:
        ({ url, every_seconds, pages_max }) =>
        async (host) => {
          let { cursor } = host;
          for (;;) {
            const activities = await news(url, pages_max, cursor, host);
            for (let at = 0; at < activities.length; at += EMITTED_RECORDS_MAX) {
              const batch = activities.slice(at, at + EMITTED_RECORDS_MAX);
              const { time, id } = batch[batch.length - 1];
              cursor = `${time} ${id}`;
              await host.emit(
                batch.map(({ record }) => record),
                cursor,
              );
            }
            // A visit without news shows that the source answers, so the host need not start the connector again.
            if (activities.length === 0 && cursor !== undefined) await host.emit([], cursor);
            await passed(every_seconds * 1000, undefined, { signal: host.signal });
          }
        },
    }),
  },
});
