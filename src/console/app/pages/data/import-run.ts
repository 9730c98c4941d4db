import { effect, signal } from '@preact/signals';
import { FeedloomError, type IngestKind, type RecordOf } from '../../../../../openapi/client/src/index.ts';
import { describeFaults } from '../../../../model/values/refusal.ts';
import { monotonicMs } from '../../clock.ts';
import { api, session, textOf } from '../../session.ts';
import { type ChosenFile, lineReader } from './chosen-file.ts';
import { KIND_SPECS, KINDS, type Kind } from './kinds.ts';
import { recordsOf } from './records.ts';

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
  kind: Kind;
}

export interface LineNote {
  file: string;
  /** Undefined: it is not about one line. */
  line: number | undefined;
  detail: string;
}

interface FileProgress {
  name: string;
  bytes: number;
  read_bytes: number;
  accepted: number;
  rejected: number;
  failure?: string;
}

export interface Progress {
  state: 'running' | 'paused' | 'done' | 'cancelled';
  /** Why it paused by itself. */
  reason?: string;
  files: readonly FileProgress[];
  /** Why lines were rejected: the first ones. */
  faults: readonly LineNote[];
  /** What the service noticed about lines that it stored: the first ones, each with its first line. */
  warnings: readonly LineNote[];
}

const NOTES_SHOWN_MAX = 100;
/** Where the service names the record of a warning. */
const FIRST_RECORD = / \(first in record (\d+)\)$/;
const NOT_CLOSED = 'a quoted field is not closed';
/** The page draws and answers the keyboard at least this often. */
const BUSY_MS_MAX = 12;
const SHOWN_EVERY_MS = 100;

/**
 * Reads files one after another and sends their records in batches, or only checks their shape.
 *
 * While a batch is sent, the next one is read. Batches arrive in the order of the file.
 */
export class ImportRun {
  readonly progress = signal<Progress>({ state: 'running', files: [], faults: [], warnings: [] });
  private readonly files: FileProgress[];
  private readonly faults: LineNote[] = [];
  private readonly warnings: LineNote[] = [];
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
  ) {
    // In the order in which the records are best known to the service: people before their acts.
    this.given = KINDS.flatMap((kind) =>
      chosen.flatMap((one) => (one.kind === kind ? [{ ...one, kind }] : [])),
    );
    this.files = this.given.map(({ file }) => ({
      ...{ name: file.name, bytes: file.size },
      ...{ read_bytes: 0, accepted: 0, rejected: 0 },
    }));
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
    const read = lineReader(ready.kind, ready);
    for await (const { parts, read_bytes } of recordsOf(ready.file, ready.is_csv)) {
      for (const { text, line, is_open } of parts) {
        const found = is_open ? { fault: NOT_CLOSED } : read(text);
        if (found === undefined) continue;
        if ('fault' in found) this.reject(progress, line, found.fault);
        else if (this.is_check) this.check(found.record, line, ready, progress);
        else await batches.add(sentForm(ready.kind, found.record), line, text.length);
        if (monotonicMs() - this.rested_ms > BUSY_MS_MAX) await this.rest();
        if (this.is_cancelled) return;
      }
      progress.read_bytes = read_bytes;
      await this.rest();
      if (this.is_cancelled) return;
    }
    progress.read_bytes = progress.bytes;
  }

  private check(record: Fields, line: number, { kind }: ReadyFile, progress: FileProgress): void {
    const parsed = KIND_SPECS[kind].parse(record);
    if (parsed.ok) progress.accepted++;
    else this.reject(progress, line, describeFaults(parsed.faults));
  }

  /** Sends a batch until the service has answered. If it cannot, the run pauses and then tries again. */
  private async send({ records, lines }: Batch, { kind }: ReadyFile, progress: FileProgress): Promise<void> {
    for (;;) {
      await this.untilRunning();
      if (this.is_cancelled) return;
      try {
        const { signal } = this.cancelled;
        // The service checks every record.
        const unchecked = records as RecordOf<IngestKind>[];
        const answer = await api().ingest(KIND_SPECS[kind].sent_as, unchecked, { signal });
        progress.accepted += answer.accepted;
        this.rejectSome(progress, lines, answer);
        this.warn(progress, lines, answer.warnings);
        return;
      } catch (error) {
        if (this.is_cancelled) return;
        if (error instanceof FeedloomError && error.rejected.length > 0) {
          this.rejectSome(progress, lines, { rejected: error.rejected, rejected_count: records.length });
          return;
        }
        this.pause(textOf(error));
      }
    }
  }

  private rejectSome(
    progress: FileProgress,
    lines: readonly number[],
    answer: { rejected: readonly { index: number; detail: string }[]; rejected_count: number },
  ): void {
    const { rejected, rejected_count } = answer;
    for (const { index, detail } of rejected) this.reject(progress, lines[index], detail);
    // The service lists the first ones of a batch only.
    progress.rejected += rejected_count - rejected.length;
    this.show();
  }

  /** Notes each warning of a file once: every batch names those of its own records. */
  private warn({ name }: FileProgress, lines: readonly number[], warnings: readonly string[] = []): void {
    for (const warning of warnings) {
      const detail = warning.replace(FIRST_RECORD, '');
      const index = FIRST_RECORD.exec(warning)?.[1];
      const line = index === undefined ? undefined : lines[Number(index)];
      const is_known = this.warnings.some((other) => other.file === name && other.detail === detail);
      if (!is_known && this.warnings.length < NOTES_SHOWN_MAX)
        this.warnings.push({ file: name, line, detail });
    }
  }

  private reject(progress: FileProgress, line: number, detail: string): void {
    progress.rejected++;
    if (this.faults.length < NOTES_SHOWN_MAX) this.faults.push({ file: progress.name, line, detail });
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
    this.progress.value = { state, reason, files, faults: [...this.faults], warnings: [...this.warnings] };
  }
}

/** The record as the ingest API takes it. Counters of an item are a change of the item. */
function sentForm(kind: Kind, record: Fields): Fields {
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
