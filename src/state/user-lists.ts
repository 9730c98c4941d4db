import { SubjectTables } from '../columns/subject-tables.ts';
import { NONE } from '../model/key.ts';
import type { UserList } from '../plugin/index.ts';
import { DEFAULT_SETUP, type Setup } from './setup.ts';

/** The records of a network that name a user. More count as so many. */
const RECORDS_MAX = 2 ** 16 - 1;

export interface ListVersion {
  list_id: string;
  /** Empty: none. */
  name: string;
  /** Ordinal; NONE without one. */
  owner: number;
  by_record: boolean;
  added: readonly number[];
  removed: readonly number[];
}

interface Known extends Pick<ListVersion, 'name' | 'owner'> {
  /** The subject of its members. */
  number: number;
}

/** Lists of users: for each the set of its members, so that a page looks up an author in O(1). */
export class UserLists {
  private readonly known = new Map<string, Known>();
  /** With the number of records that name each member. */
  private readonly members: SubjectTables<{ records: Uint16Array<ArrayBuffer> }>;

  constructor({ ordinal_hash, limits }: Setup = DEFAULT_SETUP) {
    const columns = { records: new Uint16Array(1024) };
    this.members = new SubjectTables(columns, 0, ordinal_hash, { keys_max: limits.list_entries });
  }

  get count(): number {
    return this.known.size;
  }

  /** The members of all lists. */
  get entries(): number {
    return this.members.keys;
  }

  /** The identifiers of all lists, in order. */
  ids(): string[] {
    return [...this.known.keys()].sort();
  }

  /** Undefined for an unknown list. Valid until the next change. */
  get(list_id: string): (UserList & Pick<Known, 'name' | 'owner'>) | undefined {
    const known = this.known.get(list_id);
    if (known === undefined) return undefined;
    const { members } = this;
    const { name, owner, number } = known;
    return Object.freeze({
      name,
      owner,
      size: members.count(number),
      has: (user: number) => user >= 0 && members.find(number, user) !== NONE,
      users: () => this.usersOf(number),
    });
  }

  /** Creates or changes a list. O(the changed members, and for a new one the lists). */
  set({ list_id, name, owner, by_record, added, removed }: ListVersion): void {
    const known = this.known.get(list_id) ?? { number: this.freeNumber(), name, owner };
    this.known.set(list_id, known);
    known.name = name;
    for (const user of removed) this.remove(known.number, user, by_record);
    for (const user of added) this.add(known.number, user, by_record);
  }

  delete(list_id: string): void {
    const known = this.known.get(list_id);
    if (known !== undefined) this.members.clear(known.number);
    this.known.delete(list_id);
  }

  /** Takes a user out of all lists, and forgets those that they own. O(lists). */
  eraseUser(user: number): void {
    for (const [list_id, { number, owner }] of this.known) {
      if (owner === user) this.delete(list_id);
      else this.members.remove(number, user);
    }
  }

  private add(number: number, user: number, by_record: boolean): void {
    const is_new = this.members.find(number, user) === NONE;
    const at = this.members.put(number, user);
    const { records } = this.members.columns;
    records[at] = is_new ? 1 : Math.min(records[at] + Number(by_record), RECORDS_MAX);
  }

  private remove(number: number, user: number, by_record: boolean): void {
    const at = this.members.find(number, user);
    if (at === NONE) return;
    if (by_record && this.members.columns.records[at] > 1) this.members.columns.records[at]--;
    else this.members.remove(number, user);
  }

  private usersOf(number: number): number[] {
    const users: number[] = [];
    for (let at = this.members.start(number); at < this.members.end(number); at++) {
      const user = this.members.key(at);
      if (user !== NONE) users.push(user);
    }
    return users.sort((one, other) => one - other);
  }

  private freeNumber(): number {
    const used = new Set([...this.known.values()].map(({ number }) => number));
    let number = 0;
    while (used.has(number)) number++;
    return number;
  }
}
