/** Lists of users of Bluesky, by the lexicons `app.bsky.graph.list` and `app.bsky.graph.listitem`. */
import type { ConnectorRecord } from 'feedloom/plugin';
import { BadMessage, type BlueskyEvent, idIn, type Json, textIn } from './bluesky-records-events.ts';

export const LIST = 'app.bsky.graph.list';
export const LIST_ITEM = 'app.bsky.graph.listitem';

/** The lists that are read, because each takes memory: at-URIs of lists, and DIDs of accounts for all of their lists. */
export class WantedLists {
  private readonly names: ReadonlySet<string>;
  /** The accounts that have one of them. */
  private readonly owners: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.names = new Set(names);
    this.owners = new Set(names.map((name) => (name.startsWith('at://') ? name.split('/')[2] : name)));
  }

  get collections(): string[] {
    return this.names.size > 0 ? [LIST, LIST_ITEM] : [];
  }

  /** @param list_id undefined: any list of the account */
  includes(did: string, list_id?: string): boolean {
    if (list_id === undefined) return this.owners.has(did);
    const is_own = list_id.startsWith(`at://${did}/${LIST}/`);
    return is_own && (this.names.has(did) || this.names.has(list_id));
  }
}

/** A record of one of these collections. */
interface ListEvent {
  event: BlueskyEvent;
  collection: string;
  rkey: string;
  /** By which the service knows the record of a member. */
  event_id: string;
  timestamp: number;
  is_update?: boolean;
  /** Undefined for a deletion. */
  record: Json | undefined;
}

export function listRecords(
  { event, collection, rkey, event_id, timestamp, is_update, record }: ListEvent,
  wanted: WantedLists,
): ConnectorRecord[] {
  const user_id = event.did;
  const removal = { timestamp, action: 'remove' };
  if (collection === LIST) {
    const list_id = `at://${user_id}/${LIST}/${rkey}`;
    if (!wanted.includes(user_id, list_id)) return [];
    const rest = record === undefined ? removal : { timestamp, name: textIn(record.name) ?? '' };
    return [{ kind: 'user_list', record: { user_id, list_id, ...rest } }];
  }
  if (!wanted.includes(user_id)) return [];
  const list_id = textIn(record?.list);
  const member = { user_id, event_id };
  // An update may move a member to a list that is not read.
  const leaves = record === undefined || (is_update && !wanted.includes(user_id, list_id ?? ''));
  if (leaves) return [{ kind: 'list_member', record: { ...member, ...removal } }];
  if (list_id === undefined || !wanted.includes(user_id, list_id)) return [];
  const target_user_id = idIn(record.subject);
  if (target_user_id === undefined) throw new BadMessage("its record has no DID as 'subject'");
  return [{ kind: 'list_member', record: { ...member, timestamp, list_id, target_user_id } }];
}
