import { BitSet } from '../bit-set.ts';
import { CHANGES, type Change } from '../model/change.ts';
import { ERASURE } from '../model/changes/erasure.ts';
import { NAME, type NameChange } from '../model/changes/name.ts';
import { referencesOf } from '../model/define-change.ts';
import { type Key, NONE, type Space } from '../model/key.ts';
import type { Role } from '../model/member.ts';
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

const REFERENCES = new Map(CHANGES.map((change) => [change.kind, referencesOf(change)]));

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
    if (change.kind === NAME.kind) this.name(change, state);
    if (change.kind === ERASURE.kind && change.user !== NONE) this.erased.add(change.user);
    const members: Record<string, unknown> = change;
    for (const { name, refers_to, role, may_lack } of REFERENCES.get(change.kind)!) {
      const value = members[name] as Key | Uint32Array | undefined;
      if (value === undefined || (may_lack && value === NONE)) continue;
      for (const key of typeof value === 'number' ? [value] : value) this.one(change, refers_to, role, key);
    }
  }

  /** Judges the references to users that may have been erased. */
  finish(): void {
    for (const [key, place] of this.unnamed)
      if (!this.erased.has(key)) this.dangling('user', key, place, 'erased');
  }

  private name(change: NameChange, state: State): void {
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

  private one(change: Change, space: Space, role: Role, key: Key): void {
    if (this.named[space].has(key)) return;
    const may_be_removed = key >= 0 && key < this.removed.keys_from[space];
    if (!may_be_removed) this.dangling(space, key, placeOf(change), change.kind);
    else if (space === 'user') {
      if (!this.unnamed.has(key)) this.unnamed.set(key, placeOf(change));
    } else if (!this.removed.is_purging && role !== 'mention')
      this.dangling(space, key, placeOf(change), change.kind);
  }

  private dangling(space: Space, key: Key, place: string, kind: string): void {
    this.check.fault(`${kind} ${space}`, `${place} refers to ${space} ${key}, which has no name`);
  }
}
