import { SubjectTables } from '../columns/subject-tables.ts';
import { joinTime, msPart, secondsPart } from '../columns/time.ts';
import { LIMITS } from '../limits.ts';
import { NONE, SPACES, type Space } from '../model/key.ts';
import { DEFAULT_SETUP, type Setup } from './setup.ts';

const STANDS = 1;
const HIDES = 2;
const FLAG_BITS = 2;

/** The latest message about a label of a subject. */
export interface LabelFact {
  stands: boolean;
  /** Whether it hides its subject from everybody while it stands. */
  hides: boolean;
  /** seconds */
  time: number;
  /** In whole seconds; 0: never. */
  expires_at: number;
}

/** A value of a labeler, which some subjects have or had. */
interface LabelName {
  labeler: number;
  value: string;
}

type Tables = SubjectTables<{
  seconds: Uint32Array<ArrayBuffer>;
  ms: Uint16Array<ArrayBuffer>;
  expires: Uint32Array<ArrayBuffer>;
}>;

/**
 * Labels that accounts put on items and on users: a table of codes per subject, and one of subjects per code. About 100
 * bytes for the first label of a subject, and 30 for further ones.
 *
 * A label that was taken back or has expired stays, so that an older message that arrives later changes nothing.
 */
export class Labels {
  private readonly tables: Readonly<Record<Space, Tables>>;
  private readonly subjects: Readonly<Record<Space, SubjectTables<Record<never, never>>>>;
  private readonly codes = new Map<string, number>();
  private readonly names: (LabelName | undefined)[] = [];
  private readonly free: number[] = [];
  /** Of each labeler: the number of labels, and of their different values. */
  private readonly labelers = new Map<number, { labels: number; values: number }>();
  /** By minute: subjects with a hiding label that ends then, users as `~user`. */
  private readonly endings = new Map<number, number[]>();
  /** Endings before this minute were given out. */
  private next_minute = 0;

  constructor({ ordinal_hash }: Setup = DEFAULT_SETUP) {
    const tables = (): Tables => {
      const columns = { seconds: new Uint32Array(64), ms: new Uint16Array(64), expires: new Uint32Array(64) };
      return new SubjectTables(columns, FLAG_BITS, ordinal_hash);
    };
    const subjects = () => new SubjectTables({}, 0, ordinal_hash);
    this.tables = { item: tables(), user: tables() };
    this.subjects = { item: subjects(), user: subjects() };
  }

  get size(): number {
    return this.tables.item.keys + this.tables.user.keys;
  }

  isLabeler(user: number): boolean {
    return this.labelers.has(user);
  }

  /** Why a further label of a labeler is refused; undefined if there is room for it. */
  refusal(labeler: number, value: string): string | undefined {
    const { labels = 0, values = 0 } = this.labelers.get(labeler) ?? {};
    const is_new = !this.codes.has(nameOf(labeler, value));
    if (labels >= LIMITS.labels_per_labeler_max) return `the labeler has ${labels} labels, the most allowed`;
    if (is_new && values >= LIMITS.label_values_per_labeler_max)
      return `the labeler has ${values} different values, the most allowed`;
    if (is_new && this.codes.size >= LIMITS.label_values_max)
      return `all labelers have ${this.codes.size} different values, the most allowed`;
    return this.size < LIMITS.labels_max ? undefined : `there are ${this.size} labels, the most allowed`;
  }

  known(space: Space, subject: number, labeler: number, value: string): LabelFact | undefined {
    const table = this.tables[space];
    const code = this.codes.get(nameOf(labeler, value));
    const at = code === undefined ? NONE : table.find(subject, code);
    return at === NONE ? undefined : factAt(table, at);
  }

  /** @returns whether it is not older than what is known */
  record(space: Space, subject: number, labeler: number, value: string, fact: LabelFact): boolean {
    const table = this.tables[space];
    if (!isNews(this.known(space, subject, labeler, value), fact)) return false;
    const code = this.codes.get(nameOf(labeler, value)) ?? this.add(labeler, value);
    const is_new = table.find(subject, code) === NONE;
    const at = table.put(subject, code);
    if (is_new) {
      this.subjects[space].put(code, subject);
      this.count(code, 1);
    }
    table.setFlags(at, (fact.stands ? STANDS : 0) | (fact.hides ? HIDES : 0));
    table.columns.seconds[at] = secondsPart(fact.time);
    table.columns.ms[at] = msPart(fact.time);
    table.columns.expires[at] = fact.expires_at;
    if (fact.stands && fact.hides && fact.expires_at > 0) this.noteEnding(space, subject, fact.expires_at);
    return true;
  }

  /** The codes of a value, of one labeler or of all of them. O(values) for all. */
  codesOf(value: string, labeler?: number): number[] {
    if (labeler === undefined)
      return [...this.names.keys()].filter((code) => this.names[code]?.value === value);
    const code = this.codes.get(nameOf(labeler, value));
    return code === undefined ? [] : [code];
  }

  /** Whether a subject has one of these labels at a time, in seconds. O(labels of the subject). */
  has(space: Space, subject: number, wanted: ReadonlySet<number>, now: number): boolean {
    return this.some(space, subject, STANDS, now, (code) => wanted.has(code));
  }

  /** Whether a label hides the subject at a time. */
  hides(space: Space, subject: number, now: number): boolean {
    return this.some(space, subject, STANDS | HIDES, now, () => true);
  }

  /** All labels of a subject, also those that were taken back. */
  *of(space: Space, subject: number): Generator<LabelFact & Pick<LabelName, 'labeler' | 'value'>> {
    const table = this.tables[space];
    for (const code of keysIn(table, subject)) {
      const name = this.names[code];
      if (name === undefined) continue;
      const { labeler, value } = name;
      yield { labeler, value, ...factAt(table, table.find(subject, code)) };
    }
  }

  /** The subjects that have or had any label. O(labels). */
  labelled(space: Space): number[] {
    return [...new Set(this.subjectsOf(space, this.names.keys()))];
  }

  /** How often some subject has or had one of these labels. O(codes). */
  usesOf(codes: Iterable<number>): number {
    let uses = 0;
    for (const code of codes) for (const space of SPACES) uses += this.subjects[space].count(code);
    return uses;
  }

  /** The subjects that have or had one of these labels. */
  subjectsOf(space: Space, codes: Iterable<number>): number[] {
    return [...codes].flatMap((code) => keysIn(this.subjects[space], code));
  }

  /** Forgets the labels of a subject. */
  forget(space: Space, subject: number): void {
    for (const code of keysIn(this.tables[space], subject)) this.remove(space, subject, code);
  }

  /** Forgets some labels by a labeler. @returns their subjects; none if there are no labels left */
  forgetSome(labeler: number, labels_max: number): [Space, number][] {
    const code = this.names.findIndex((name) => name?.labeler === labeler);
    return SPACES.flatMap((space) => {
      const some = keysIn(this.subjects[space], code).slice(0, labels_max);
      for (const subject of some) this.remove(space, subject, code);
      return some.map((subject): [Space, number] => [space, subject]);
    });
  }

  private remove(space: Space, subject: number, code: number): void {
    this.tables[space].remove(subject, code);
    this.subjects[space].remove(code, subject);
    this.count(code, -1);
  }

  /** The subjects with a hiding label that ended up to a minute ago, and were not given out before. */
  *ended(now: number): Generator<[Space, number]> {
    const minute = minuteOf(now);
    if (this.endings.size === 0) this.next_minute = Math.max(this.next_minute, minute);
    for (; this.next_minute < minute; this.next_minute++) {
      for (const subject of this.endings.get(this.next_minute) ?? [])
        yield subject < 0 ? ['user', ~subject] : ['item', subject];
      this.endings.delete(this.next_minute);
    }
  }

  private noteEnding(space: Space, subject: number, expires_at: number): void {
    const minute = Math.max(this.next_minute, minuteOf(expires_at));
    const subjects = this.endings.get(minute) ?? [];
    this.endings.set(minute, subjects);
    subjects.push(space === 'user' ? ~subject : subject);
  }

  private some(
    space: Space,
    subject: number,
    flags: number,
    now: number,
    wanted: (code: number) => boolean,
  ): boolean {
    const table = this.tables[space];
    if (subject < 0 || table.count(subject) === 0) return false;
    const end = table.end(subject);
    for (let at = table.start(subject); at < end; at++) {
      if ((table.flags(at) & flags) !== flags) continue;
      const expires_at = table.columns.expires[at];
      if ((expires_at === 0 || now < expires_at) && wanted(table.key(at))) return true;
    }
    return false;
  }

  private add(labeler: number, value: string): number {
    const code = this.free.pop() ?? this.names.length;
    this.names[code] = { labeler, value };
    this.codes.set(nameOf(labeler, value), code);
    const totals = this.labelers.get(labeler) ?? { labels: 0, values: 0 };
    totals.values++;
    this.labelers.set(labeler, totals);
    return code;
  }

  /** Counts a label in or out. The last one of a code frees it. */
  private count(code: number, delta: 1 | -1): void {
    const name = this.names[code];
    const totals = name && this.labelers.get(name.labeler);
    if (name === undefined || totals === undefined) return;
    totals.labels += delta;
    if (SPACES.some((space) => this.subjects[space].count(code) > 0)) return;
    this.names[code] = undefined;
    this.codes.delete(nameOf(name.labeler, name.value));
    this.free.push(code);
    if (--totals.values === 0) this.labelers.delete(name.labeler);
  }
}

/** Whether a message about a label differs from the known one and is not older. */
export function isNews(known: LabelFact | undefined, next: LabelFact): boolean {
  if (known === undefined) return true;
  if (next.time !== known.time) return next.time > known.time;
  const { stands, hides, expires_at } = known;
  return stands !== next.stands || hides !== next.hides || expires_at !== next.expires_at;
}

function nameOf(labeler: number, value: string): string {
  return `${labeler} ${value}`;
}

function minuteOf(time: number): number {
  return Math.floor(time / 60);
}

function keysIn(table: Pick<Tables, 'count' | 'start' | 'end' | 'key'>, subject: number): number[] {
  const keys: number[] = [];
  if (subject < 0 || table.count(subject) === 0) return keys;
  for (let at = table.start(subject); at < table.end(subject); at++) {
    const key = table.key(at);
    if (key !== NONE) keys.push(key);
  }
  return keys;
}

function factAt(table: Tables, at: number): LabelFact {
  const { seconds, ms, expires } = table.columns;
  const flags = table.flags(at);
  const time = joinTime(seconds[at], ms[at]);
  return { stands: (flags & STANDS) !== 0, hides: (flags & HIDES) !== 0, time, expires_at: expires[at] };
}
