import { Decoder } from './encodings.ts';
import { type Line, LineCutter } from './lines.ts';

export function isBlank(line: string): boolean {
  return line === '' || line === '\r';
}

/** The lines of a file that were read and not yet taken. */
export class LineQueue {
  /** Whether no further lines follow those that are there. */
  has_ended = false;
  /** Lines that were taken. */
  taken = 0;
  private lines: Line[] = [];
  private at = 0;
  private readonly cutter: LineCutter;

  /** @param notes gets what is recognised */
  constructor(notes: string[]) {
    this.cutter = new LineCutter(new Decoder(notes));
  }

  push(bytes: Uint8Array): void {
    this.add(this.cutter.push(bytes));
  }

  end(): void {
    this.add(this.cutter.end());
    this.has_ended = true;
  }

  /** A line that was not taken yet, 0 for the next one, without the mark of the encoding. */
  peek(offset: number): Line | undefined {
    const line = this.lines[this.at + offset];
    const is_marked = this.taken + offset === 0 && typeof line === 'string' && line.startsWith('\ufeff');
    return is_marked ? line.slice(1) : line;
  }

  take(count: number): void {
    this.at += count;
    this.taken += count;
  }

  private add(more: Line[]): void {
    this.lines = this.at === this.lines.length ? more : [...this.lines.slice(this.at), ...more];
    this.at = 0;
  }
}
