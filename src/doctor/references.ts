import { BitSet } from '../bit-set.ts';
import { type Change, type Key, NONE, type Space } from '../state/change.ts';
import type { State } from '../state/state.ts';
import type { Check } from './check.ts';
import { placeOf } from './rows.ts';

/** What the store knows of removed names. */
export interface Removed {
  /** Names of lower keys may have been removed, with their users and items. */
  keys_from: Readonly<Record<Space, Key>>;
  /** Whether a purge has not finished, so rows about removed items may be left. */
  is_purging: boolean;
}

/** Changes that may name items that were removed since. Other rows about a removed item are removed with it. */
const LISTS = new Set<Change['kind']>(['retirement', 'release', 'outcome']);

/**
 * Checks that every change refers only to users and items with a name before it.
 *
 * Names of erased users and of removed items are gone. An erasure stays stored, so references to unknown users are
 * judged at the end.
 */
export class References {
  private readonly named: Readonly<Record<Space, BitSet>> = { user: new BitSet(), item: new BitSet() };
  private readonly erased = new BitSet();
  /** The first change that refers to each user whose name may have been removed. */
  private readonly unnamed = new Map<Key, string>();

  constructor(
    private readonly check: Check,
    private readonly removed: Removed,
  ) {}

  /** @param state the state before the change */
  note(change: Change, state: State): void {
    switch (change.kind) {
      case 'name':
        this.name(change, state);
        break;
      case 'erasure':
        if (change.user !== NONE) this.erased.add(change.user);
        break;
      case 'event':
        this.one(change, 'user', change.user);
        if (change.target !== NONE) this.one(change, 'user', change.target);
        if (change.item !== NONE) this.one(change, 'item', change.item);
        break;
      default:
        this.others(change);
    }
  }

  /** Judges the references to users that may have been erased. */
  finish(): void {
    for (const [key, place] of this.unnamed)
      if (!this.erased.has(key)) this.dangling('user', key, place, 'erased');
  }

  private name(change: Extract<Change, { kind: 'name' }>, state: State): void {
    const { space, key, id } = change;
    if (this.named[space].has(key))
      this.check.fault(`key ${space}`, `${placeOf(change)} names ${space} ${key} a second time`);
    const { names } = space === 'user' ? state.users : state.items;
    if (names.find(id) !== NONE)
      this.check.fault(
        `id ${space}`,
        `${placeOf(change)} gives ${space} ${key} the identifier of another one`,
      );
    this.named[space].add(key);
  }

  private others(change: Exclude<Change, { kind: 'name' | 'erasure' | 'event' }>): void {
    if ('user' in change) this.one(change, 'user', change.user);
    if ('target' in change) this.one(change, 'user', change.target);
    if ('author' in change && change.author !== undefined && change.author !== NONE)
      this.one(change, 'user', change.author);
    if ('item' in change) this.one(change, 'item', change.item);
    if ('items' in change) for (const item of change.items) this.one(change, 'item', item);
    if (change.kind !== 'follow_list') return;
    for (const user of change.followed) this.one(change, 'user', user);
    for (const user of change.unfollowed) this.one(change, 'user', user);
  }

  private one(change: Change, space: Space, key: Key): void {
    if (this.named[space].has(key)) return;
    const may_be_removed = key >= 0 && key < this.removed.keys_from[space];
    if (!may_be_removed) this.dangling(space, key, placeOf(change), change.kind);
    else if (space === 'user') {
      if (!this.unnamed.has(key)) this.unnamed.set(key, placeOf(change));
    } else if (!this.removed.is_purging && !LISTS.has(change.kind))
      this.dangling(space, key, placeOf(change), change.kind);
  }

  private dangling(space: Space, key: Key, place: string, kind: string): void {
    this.check.fault(`${kind} ${space}`, `${place} refers to ${space} ${key}, which has no name`);
  }
}
