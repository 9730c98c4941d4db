import { effect, signal } from '@preact/signals';
import {
  FeedloomError,
  type IngestAnswer,
  type IngestKind,
  type RecordOf,
} from '../../../../../openapi/client/src/index.ts';
import type { FileMap } from '../../../../mapping/map.ts';
import { kindOfWarning } from '../../../../model/values/refusal.ts';
import { monotonicMs } from '../../clock.ts';
import { api, session, textOf } from '../../session.ts';
import type { ChosenFile, LeftOut } from './chosen-file.ts';
import { rowReader, rowsOf } from './file-rows.ts';
import { KINDS, SENT_KINDS, type SentKind } from './kinds.ts';

type Fields = Record<string, unknown>;

interface Batch {
  records: Fields[];
  lines: number[];
}

/** Small enough that a batch is made and answered without a noticeable wait. */
const RECORDS_MAX = 1_000;
const CHARACTERS_MAX = 512 * 1024;

/** Collects the records of one file. One batch is on its way while the next one is collected. */
class Batches {
  private batch: Batch = { records: [], lines: [] };
  private characters = 0;
  private sending = Promise.resolve();

  constructor(private readonly send: (batch: Batch) => Promise<void>) {}

  /** Waits if a full batch has to wait for the one before it. @param characters size of the record, about */
  async add(record: Fields, line: number, characters: number): Promise<void> {
    this.batch.records.push(record);
    this.batch.lines.push(line);
    this.characters += characters;
    if (this.batch.records.length === RECORDS_MAX || this.characters >= CHARACTERS_MAX) await this.next();
  }

  /** Resolves when everything has been sent. */
  async flush(): Promise<void> {
    if (this.batch.records.length > 0) await this.next();
    await this.sending;
  }

  private async next(): Promise<void> {
    await this.sending;
    this.sending = this.send(this.batch);
    this.batch = { records: [], lines: [] };
    this.characters = 0;
  }
}

/** A file that is to be read. */
interface ReadyFile extends ChosenFile {
  map: FileMap;
  kind: SentKind;
}

/** What the service says of some lines of a file, with the first of them. */
export interface Note {
  file: string;
  /** How many lines. */
  count: number;
  /** Undefined: it is not about one line. */
  line: number | undefined;
  /** About the first line, with its value. */
  detail: string;
}

interface FileProgress {
  name: string;
  bytes: number;
  read_bytes: number;
  accepted: number;
  rejected: number;
  /** Rows that stay out by the map. */
  skipped: number;
  failure?: string;
}

export interface Progress {
  state: 'running' | 'paused' | 'done' | 'cancelled';
  /** Why it paused by itself. */
  reason?: string;
  files: readonly FileProgress[];
  /** Why lines were rejected. */
  faults: readonly Note[];
  /** What was noticed about lines that were stored. */
  warnings: readonly Note[];
}

/** Different notes of a file. Further ones are counted with its last. */
const NOTES_OF_FILE_MAX = 20;

/** Notes by file and by what they say, whatever the values. */
class Notes {
  private readonly by_file = new Map<string, Map<string, Note>>();

  add(file: string, line: number | undefined, detail: string, count = 1): void {
    const known = this.by_file.get(file) ?? new Map<string, Note>();
    this.by_file.set(file, known);
    const key = known.size < NOTES_OF_FILE_MAX ? kindOfWarning(detail) : OTHERS;
    const note = known.get(key) ?? { file, line, detail: key === OTHERS ? OTHERS : detail, count: 0 };
    known.set(key, { ...note, count: note.count + count });
  }

  get list(): Note[] {
    return [...this.by_file.values()].flatMap((notes) => [...notes.values()]);
  }
}

const OTHERS = 'other reasons';
/** Where the service names the record of a warning. */
const FIRST_RECORD = / \(first in record (\d+)\)$/;
/** What the service says of acts before their item, which a check has found good. */
const NO_ITEM = /^there is no item '(.*)' so far/;
/** The page draws and answers the keyboard at least this often. */
const BUSY_MS_MAX = 12;
const SHOWN_EVERY_MS = 100;

/**
 * Reads files one after another and sends their records in batches. A check sends them as dry runs, so that the service
 * says what it would do, and stores nothing.
 *
 * While a batch is sent, the next one is read. Batches arrive in the order of the file.
 */
export class ImportRun {
  readonly progress = signal<Progress>({ state: 'running', files: [], faults: [], warnings: [] });
  private readonly files: FileProgress[];
  private readonly faults = new Notes();
  private readonly warnings = new Notes();
  /** What a check has found good of items, since a dry run does not remember it. */
  private readonly described = new Map<unknown, Fields>();
  private readonly cancelled = new AbortController();
  private state: Progress['state'] = 'running';
  private reason: string | undefined;
  private continued = Promise.withResolvers<void>();
  private rested_ms = monotonicMs();
  private shown_ms = 0;

  private readonly given: readonly ReadyFile[];

  constructor(
    chosen: readonly ChosenFile[],
    readonly is_check: boolean,
    readonly left_out: readonly LeftOut[],
  ) {
    // In the order in which the records are best known to the service: people before their acts.
    this.given = KINDS.flatMap((kind) =>
      chosen.flatMap((one) => (one.map?.kind === kind ? [{ ...one, map: one.map, kind }] : [])),
    );
    this.files = this.given.map(({ file, kind }) => {
      const is_alone = chosen.every(
        (one) => one.file !== file || one.map === undefined || one.map.kind === kind,
      );
      const name = is_alone ? file.name : `${file.name} as ${SENT_KINDS[kind].text}`;
      return { name, bytes: file.size, read_bytes: 0, accepted: 0, rejected: 0, skipped: 0 };
    });
    this.show();
  }

  pause(reason?: string): void {
    if (this.state !== 'running') return;
    this.state = 'paused';
    this.reason = reason;
    this.show();
  }

  resume(): void {
    if (this.state !== 'paused') return;
    this.state = 'running';
    this.reason = undefined;
    this.continued.resolve();
    this.continued = Promise.withResolvers();
    this.show();
  }

  cancel(): void {
    if (this.state === 'done') return;
    this.state = 'cancelled';
    this.cancelled.abort();
    this.continued.resolve();
    this.show();
  }

  async run(): Promise<void> {
    for (const [index, ready] of this.given.entries()) {
      const progress = this.files[index];
      const batches = new Batches((batch) => this.send(batch, ready, progress));
      try {
        await this.readFile(ready, progress, batches);
      } catch (error) {
        progress.failure = textOf(error);
      }
      await batches.flush();
      if (this.is_cancelled) return;
    }
    this.state = 'done';
    this.show();
  }

  private get is_cancelled(): boolean {
    return this.cancelled.signal.aborted;
  }

  private async readFile(ready: ReadyFile, progress: FileProgress, batches: Batches): Promise<void> {
    const read = rowReader(ready.file, ready.map);
    let noted = 0;
    for await (const { rows, read_bytes, notes } of rowsOf(ready.file)) {
      for (const note of notes.slice(noted)) this.warnings.add(progress.name, undefined, note);
      noted = notes.length;
      for (const row of rows) {
        const reading = read(row);
        if ('warnings' in reading) this.warn(progress, [row.line], reading.warnings, 0);
        if (reading.type === 'bad') this.reject(progress, row.line, reading.reason);
        else if (reading.type === 'skipped') progress.skipped++;
        else if (reading.type === 'record')
          await batches.add(sentForm(ready.kind, reading.timed.fields), row.line, row.text.length);
        if (monotonicMs() - this.rested_ms > BUSY_MS_MAX) await this.rest();
        if (this.is_cancelled) return;
      }
      progress.read_bytes = read_bytes;
      await this.rest();
      if (this.is_cancelled) return;
    }
    progress.read_bytes = progress.bytes;
  }

  /** Sends a batch until the service has answered. If it cannot, the run pauses and then tries again. */
  private async send({ records, lines }: Batch, { kind }: ReadyFile, progress: FileProgress): Promise<void> {
    for (;;) {
      await this.untilRunning();
      if (this.is_cancelled) return;
      try {
        const answer = await this.ingest(kind, records, this.is_check);
        progress.accepted += answer.accepted;
        progress.rejected += answer.rejected_count;
        this.warn(progress, lines, answer.warnings);
        await this.noteRejected(answer, kind, records, lines, progress.name);
        this.show();
        return;
      } catch (error) {
        if (this.is_cancelled) return;
        this.pause(textOf(error));
      }
    }
  }

  /** The answer, also if no record was accepted. */
  private async ingest(kind: SentKind, records: readonly Fields[], is_dry: boolean): Promise<IngestAnswer> {
    const { sent_as } = SENT_KINDS[kind];
    const is_known = this.described.size > 0 && sent_as === 'items';
    const whole = is_known ? records.map((one) => ({ ...this.described.get(one.item_id), ...one })) : records;
    try {
      // The service checks every record.
      return await api().ingest(sent_as, whole as RecordOf<IngestKind>[], {
        signal: this.cancelled.signal,
        ...(is_dry && { dry_run: true }),
      });
    } catch (error) {
      if (!(error instanceof FeedloomError) || error.rejected.length === 0) throw error;
      const { rejected } = error;
      return { status: 'success', accepted: 0, rejected_count: records.length, rejected };
    }
  }

  /** Notes why records were rejected. The service lists the first ones, so further ones are sent again as dry runs. */
  private async noteRejected(
    { rejected, rejected_count }: IngestAnswer,
    kind: SentKind,
    records: readonly Fields[],
    lines: readonly number[],
    name: string,
  ): Promise<void> {
    const bad = new Set(rejected.map(({ index }) => index));
    for (const { index, detail } of rejected) this.faults.add(name, lines[index], detail);
    const last = rejected_count > rejected.length ? Math.max(...bad) : records.length;
    if (this.is_check && kind === 'items') {
      for (const [index, { item_id, author_id, created_at }] of records.entries())
        if (index <= last && !bad.has(index) && created_at !== undefined && author_id !== undefined)
          this.described.set(item_id, { author_id, created_at });
    }
    if (last === records.length) return;
    const [more, at] = [records.slice(last + 1), lines.slice(last + 1)];
    await this.noteRejected(await this.ingest(kind, more, true), kind, more, at, name);
  }

  /** @param at index of the record that the warnings are about, if they do not say it */
  private warn(
    { name }: FileProgress,
    lines: readonly number[],
    warnings: readonly string[] = [],
    at?: number,
  ): void {
    for (const warning of warnings) {
      const [, item] = NO_ITEM.exec(warning) ?? [];
      if (this.described.has(item)) continue;
      const index = at ?? FIRST_RECORD.exec(warning)?.[1];
      const line = index === undefined ? undefined : lines[Number(index)];
      this.warnings.add(name, line, warning.replace(FIRST_RECORD, ''));
    }
  }

  private reject(progress: FileProgress, line: number, detail: string): void {
    progress.rejected++;
    this.faults.add(progress.name, line, detail);
  }

  private async untilRunning(): Promise<void> {
    while (this.state === 'paused') await this.continued.promise;
  }

  /** Lets the page draw, and shows the progress from time to time. */
  private async rest(): Promise<void> {
    if (monotonicMs() - this.shown_ms > SHOWN_EVERY_MS) this.show();
    if (monotonicMs() - this.rested_ms > BUSY_MS_MAX) await new Promise((resolve) => setTimeout(resolve));
    this.rested_ms = monotonicMs();
    await this.untilRunning();
  }

  private show(): void {
    this.shown_ms = monotonicMs();
    const { state, reason } = this;
    const files = this.files.map((file) => ({ ...file }));
    this.progress.value = { state, reason, files, faults: this.faults.list, warnings: this.warnings.list };
  }
}

/** The record as the ingest API takes it. Counters of an item are a change of the item. */
function sentForm(kind: SentKind, record: Fields): Fields {
  if (kind !== 'engagement') return record;
  const { timestamp, ...counts } = record;
  return { ...counts, updated_at: timestamp };
}

/** The import or check that is shown. It goes on while other pages are shown, and ends when somebody signs out. */
export const current_run = signal<ImportRun | undefined>();

effect(() => {
  if (session.value !== undefined) return;
  current_run.peek()?.cancel();
  current_run.value = undefined;
});

addEventListener('beforeunload', (event) => {
  const state = current_run.value?.progress.value.state;
  if (state === 'running' || state === 'paused') event.preventDefault();
});
