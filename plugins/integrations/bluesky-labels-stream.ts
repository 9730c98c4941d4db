import { type ConnectorHost, type ConnectorRecord, EMITTED_RECORDS_MAX, nextTurn } from 'feedloom/plugin';
import { frameOf, recordOf } from './bluesky-labels-frames.ts';
import { objectIn } from './bluesky-records-events.ts';
import { Messages } from './bluesky-stream.ts';

/** Bytes of a labeler that may wait, and so of a frame. */
const BINARY = {
  length_max: 2_000_000,
  unit: 'bytes',
  read: (data: unknown) => (data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(0)),
};
/** A connection may have died unnoticed, so it is opened anew after this time. */
const CONNECTION_MS = 15 * 60_000;
/** A labeler is behind if its latest label is older than this while more wait. */
const BEHIND_SECONDS = 300;
const FRAMES_A_TURN = 20;

/** How far a labeler has been read. */
export interface Position {
  did: string;
  /** The number of the last frame. Undefined if none was read and only new ones will be; 0 for all. */
  seq: number | undefined;
  is_trusted: boolean;
}

/** Stores records of a labeler. @returns how many the service refused, and why the first */
type Emit = (
  records: readonly ConnectorRecord[],
  position: Position,
) => Promise<{ count: number; reason?: string }>;

/** The labels of one labeler. What is dropped of them is counted and named in a warning. */
export class LabelerStream {
  private readonly dropped = new Map<string, number>();
  /** Why the first refused label was refused. */
  private refused_as: string | undefined;
  private emitted_seq: number | undefined;
  private last_label = 0;

  constructor(
    private readonly host: ConnectorHost,
    private readonly name: string,
    private readonly position: Position,
    private readonly emit: Emit,
  ) {
    this.emitted_seq = position.seq;
  }

  /** Reads from one connection. Resolves when another one should be opened. @throws Error if the source failed */
  async read(address: URL, onRead: () => void): Promise<void> {
    const { host, position } = this;
    const url = new URL(address);
    if (position.seq !== undefined) url.searchParams.set('cursor', String(position.seq));
    const signal = AbortSignal.any([host.signal, AbortSignal.timeout(CONNECTION_MS)]);
    const messages = new Messages(url, signal, BINARY);
    try {
      for (;;) {
        const frames = await messages.next();
        onRead();
        await this.take(frames);
        this.warnBehind(messages.is_behind);
      }
    } catch (error) {
      // Everything that had arrived is stored when too much waits, so the rest can be fetched.
      if (host.signal.aborted || !(signal.aborted || messages.overflowed)) throw error;
    } finally {
      messages.close();
    }
  }

  private async take(frames: readonly Uint8Array[]): Promise<void> {
    const { position } = this;
    let records: ConnectorRecord[] = [];
    for (const [index, bytes] of frames.entries()) {
      if (index % FRAMES_A_TURN === FRAMES_A_TURN - 1) await nextTurn();
      const frame = frameOf(bytes);
      if ('notice' in frame) this.warn('notice', `the labeler sent the notice '${frame.notice}'`);
      else if ('dropped' in frame) this.drop(frame.dropped);
      else if ('ending' in frame) {
        await this.store(records);
        if (frame.ending === 'FutureCursor') await this.startOver();
        throw new Error(`the labeler ended the stream: ${frame.ending} ${frame.detail}`.trim());
      } else {
        // A frame is passed when all its labels are stored.
        position.seq ??= frame.seq - 1;
        for (const label of frame.labels) {
          const record = recordOf(label, position.did, position.is_trusted);
          if (record === undefined) continue;
          if ('dropped' in record) {
            this.drop(record.dropped);
            continue;
          }
          this.last_label = Number(objectIn(record.record).timestamp);
          records.push(record);
          if (records.length < EMITTED_RECORDS_MAX) continue;
          await this.store(records);
          records = [];
        }
        position.seq = frame.seq;
      }
    }
    await this.store(records);
    this.warnDropped();
  }

  private async store(records: readonly ConnectorRecord[]): Promise<void> {
    const { position } = this;
    if (position.seq === undefined || (records.length === 0 && position.seq === this.emitted_seq)) return;
    const { count, reason } = await this.emit(records, position);
    this.emitted_seq = position.seq;
    if (count === 0) return;
    // Reasons name what the labeler sent, so they cannot be counted apart.
    this.drop('refused labels', count);
    this.refused_as ??= reason;
  }

  /** The labeler has fewer frames than were read, so its numbers mean other frames. */
  private async startOver(): Promise<void> {
    this.position.seq = 0;
    await this.store([]);
  }

  private drop(what: string, count = 1): void {
    this.dropped.set(what, (this.dropped.get(what) ?? 0) + count);
  }

  private warnDropped(): void {
    if (this.dropped.size === 0) return;
    const counts = [...this.dropped].map(([what, count]) => `${count} ${what}`);
    const example = this.refused_as === undefined ? '' : ` (such as: ${this.refused_as})`;
    this.warn('dropped', `dropped since the last connection: ${counts.join(', ')}${example}`);
  }

  private warnBehind(has_more: boolean): void {
    const seconds = Math.round(this.host.clock.now() - this.last_label);
    const is_behind = has_more && seconds > BEHIND_SECONDS;
    this.warn('behind', is_behind ? `its labels are read with a delay of ${seconds} s` : undefined);
  }

  private warn(topic: string, text: string | undefined): void {
    this.host.warning(`${this.name} ${topic}`, text && `${this.name}: ${text}`);
  }
}
