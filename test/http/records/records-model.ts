/** The records of a community as its documents define them (docs/deletions.md): a second, simple implementation. */

/** A version of an item or a profile. Times in seconds. */
export interface Version {
  author_id?: string;
  created_at?: number;
  updated_at?: number;
  hidden?: boolean;
  hidden_by_network?: boolean;
  hidden_by_network_at?: number;
  revive?: boolean;
}

type Act = { user_id: string; other: string; timestamp?: number; adds: boolean };
export type ActKind = 'interactions' | 'follows' | 'blocks';
export type Outcome = 'done' | 'warned' | 'refused' | 'missing';

interface Fact {
  time: number;
  stands: boolean;
}

interface Tombstone {
  deleted_at: number;
  /** Versions from this time on count. 0: all count again, and so do acts. */
  versions_from: number;
}

export class RecordsModel {
  now = 0;
  readonly items = new Map<string, Version>();
  readonly profiles = new Map<string, Version>();
  /** All users who were ever named and not erased since. */
  readonly users = new Set<string>();
  /** `<user> <other>` */
  readonly facts: Readonly<Record<ActKind, Map<string, Fact>>> = {
    interactions: new Map(),
    follows: new Map(),
    blocks: new Map(),
  };
  /** All items that were ever named and not removed with their author since. */
  private readonly named = new Set<string>();
  /** Deleted items that no version brought back, with their author. */
  private readonly withdrawn = new Map<string, string | undefined>();
  private readonly tombstones = new Map<string, Tombstone>();

  item(id: string, given: Version): Outcome {
    const { author_id, revive } = given;
    const time = given.updated_at ?? given.created_at;
    if (!revive && time !== undefined) {
      if (time < (this.tombstones.get(id)?.versions_from ?? 0)) return 'warned';
      if (author_id !== undefined && this.isFromBefore(time, author_id)) return 'warned';
    }
    const former = this.items.get(id);
    if (former === undefined && (author_id === undefined || given.created_at === undefined)) return 'refused';
    const version = merged(given, former);
    this.items.set(id, version);
    this.named.add(id);
    this.withdrawn.delete(id);
    if (version.author_id !== undefined) this.users.add(version.author_id);
    if (revive) this.lift(id);
    return 'done';
  }

  profile(id: string, given: Version): Outcome {
    const { versions_from = 0 } = this.tombstones.get(id) ?? {};
    const time = given.updated_at ?? given.created_at;
    const is_new = !this.profiles.has(id);
    const is_old = time === undefined ? is_new && versions_from > 0 : time < versions_from;
    if (!given.revive && is_old) return 'warned';
    this.profiles.set(id, merged(given, this.profiles.get(id)));
    this.users.add(id);
    if (given.revive) this.lift(id);
    return 'done';
  }

  act(kind: ActKind, { user_id, other, timestamp, adds }: Act): Outcome {
    if (timestamp !== undefined && this.isFromBefore(timestamp, user_id, other)) return 'warned';
    this.users.add(user_id);
    (kind === 'interactions' ? this.named : this.users).add(other);
    const facts = this.facts[kind];
    const known = facts.get(`${user_id} ${other}`);
    const time = timestamp ?? this.now;
    // The later record counts, at the same time the later arrival. Without a time only a change counts.
    if (known !== undefined && (time < known.time || (timestamp === undefined && known.stands === adds)))
      return 'done';
    facts.set(`${user_id} ${other}`, { time, stands: adds });
    return 'done';
  }

  deleteItem(id: string, timestamp?: number): Outcome {
    const deleted_at = timestamp ?? this.now;
    const item = this.items.get(id);
    const is_repeated = this.isRepeated(id, timestamp);
    if (item !== undefined && (is_repeated || this.isOlder(item, timestamp))) return 'warned';
    const takes_acts = timestamp === undefined ? !this.withdrawn.has(id) : !is_repeated;
    if (this.named.has(id) && (item !== undefined || takes_acts)) {
      const acts = this.facts.interactions;
      for (const [pair, { time }] of acts)
        if (pair.endsWith(` ${id}`) && (timestamp === undefined || time < deleted_at)) acts.delete(pair);
      this.withdrawn.set(id, item?.author_id ?? this.withdrawn.get(id));
    }
    this.items.delete(id);
    this.bury(id, deleted_at, item);
    return item !== undefined ? 'done' : timestamp === undefined ? 'missing' : 'warned';
  }

  eraseUser(id: string, timestamp?: number, keep_items = false): Outcome {
    const profile = this.profiles.get(id);
    const exists = this.users.has(id);
    if (exists && (this.isRepeated(id, timestamp) || this.isOlder(profile, timestamp))) return 'warned';
    if (exists && keep_items && this.isHidden(profile)) return 'refused';
    for (const [item_id, item] of this.items) {
      if (item.author_id !== id) continue;
      if (keep_items) delete item.author_id;
      else this.forget(item_id);
    }
    for (const [item_id, author_id] of this.withdrawn) if (author_id === id) this.forget(item_id);
    for (const facts of Object.values(this.facts))
      for (const pair of facts.keys()) if (pair.split(' ').includes(id)) facts.delete(pair);
    this.profiles.delete(id);
    this.users.delete(id);
    this.bury(id, timestamp ?? this.now, profile);
    return exists ? 'done' : timestamp === undefined ? 'missing' : 'warned';
  }

  isHidden(version: Version | undefined): boolean {
    return version?.hidden === true || version?.hidden_by_network === true;
  }

  /** The others of a user's current acts. */
  standing(kind: ActKind, user_id: string): string[] {
    const pairs = [...this.facts[kind]].filter(([, { stands }]) => stands).map(([pair]) => pair.split(' '));
    return pairs.flatMap(([user, other]) => (user === user_id ? other : [])).sort();
  }

  likes(item_id: string): number {
    const shown = [...this.users].filter((user) => !this.isHidden(this.profiles.get(user)));
    return shown.filter((user) => this.standing('interactions', user).includes(item_id)).length;
  }

  /** The items that a viewer's page may have. */
  page(viewer: string): string[] {
    const isShown = ([, item]: [string, Version]) => {
      const { author_id = '' } = item;
      const is_hidden = this.isHidden(item) || this.isHidden(this.profiles.get(author_id));
      const [out, back] = [this.standing('blocks', viewer), this.standing('blocks', author_id)];
      return !is_hidden && !out.includes(author_id) && !back.includes(viewer);
    };
    return [...this.items].filter(isShown).map(([id]) => id);
  }

  private forget(item_id: string): void {
    this.items.delete(item_id);
    this.named.delete(item_id);
    this.withdrawn.delete(item_id);
    for (const pair of this.facts.interactions.keys())
      if (pair.endsWith(` ${item_id}`)) this.facts.interactions.delete(pair);
  }

  private isFromBefore(time: number, ...ids: string[]): boolean {
    return ids.some((id) => {
      const { deleted_at = 0, versions_from = 0 } = this.tombstones.get(id) ?? {};
      return versions_from > 0 && time < deleted_at;
    });
  }

  private isRepeated(id: string, timestamp?: number): boolean {
    return timestamp !== undefined && (this.tombstones.get(id)?.deleted_at ?? 0) >= timestamp;
  }

  private isOlder({ updated_at, created_at }: Version = {}, timestamp?: number): boolean {
    return timestamp !== undefined && timestamp < (updated_at ?? created_at ?? 0);
  }

  private bury(id: string, deleted_at: number, { updated_at, created_at }: Version = {}): void {
    const former = this.tombstones.get(id);
    const version_at = updated_at ?? created_at;
    if (former !== undefined && former.deleted_at >= deleted_at && version_at === undefined) return;
    const from = Math.max(deleted_at, (version_at ?? -1) + 0.001, former?.versions_from ?? 0);
    this.tombstones.set(id, {
      deleted_at: Math.max(deleted_at, former?.deleted_at ?? 0),
      versions_from: from,
    });
  }

  private lift(id: string): void {
    const former = this.tombstones.get(id);
    if (former !== undefined) this.tombstones.set(id, { ...former, versions_from: 0 });
  }
}

/** Given fields replace others. An older message of the network changes neither its decision nor the time. */
function merged({ revive: _, ...given }: Version, former: Version = {}): Version {
  const { hidden_by_network, hidden_by_network_at, ...others } = given;
  if (hidden_by_network === undefined) return { ...former, ...others };
  const known = former.hidden_by_network_at;
  const at = hidden_by_network_at ?? given.updated_at ?? given.created_at ?? known;
  if (known === undefined || at === undefined || at >= known)
    return { ...former, ...given, hidden_by_network_at: at };
  const { updated_at, ...rest } = others;
  return { ...former, ...rest };
}
