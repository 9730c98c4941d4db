import { SingleBar } from 'cli-progress';
import { monotonicMs as machineMs } from '../clock.ts';
import type { ImportProgress } from '../interchange/importer.ts';
import { grouped } from '../plugin/list-of.ts';
import { printNotice } from './output.ts';

/** Without a progress bar, a line is printed each time this share of the bytes was read, … */
const SHOW_EVERY_PERCENT = 10;
/** … or this many records, if the number of bytes is unknown. */
const SHOW_EVERY_RECORDS = 100_000;

export interface ShownProgress {
  show(progress: ImportProgress): void;
  /** Prints a line above the bar. */
  print(line: string): void;
  end(): void;
}

export function shownOnStderr(): ShownProgress {
  return process.stderr.isTTY ? new ProgressBar() : new ProgressLines();
}

/** A bar on the terminal, begun anew for each phase. */
export class TerminalBar {
  private readonly start_ms = machineMs();
  private phase: string | undefined;
  private readonly bar: SingleBar;

  constructor(format: string, barsize = 40) {
    this.bar = new SingleBar({ format, barsize, hideCursor: true, clearOnComplete: true });
  }

  get seconds(): number {
    return (machineMs() - this.start_ms) / 1000;
  }

  show(phase: string, done: number, total: number, shown: object): void {
    if (this.phase === phase) this.bar.update(done, shown);
    else {
      this.end();
      this.bar.start(total, done, shown);
      this.phase = phase;
    }
  }

  /** Prints a line above the bar. */
  print(line: string): void {
    if (this.phase !== undefined) process.stderr.write('\r\u001b[K');
    printNotice(line);
  }

  end(): void {
    if (this.phase !== undefined) this.bar.stop();
    this.phase = undefined;
  }
}

class ProgressBar implements ShownProgress {
  private readonly lines = new ProgressLines();
  private readonly bar = new TerminalBar('{bar} {percentage} % | {records} records | {rate}/s');

  show(progress: ImportProgress): void {
    const { bytes_taken, bytes_total, records } = progress;
    if (bytes_total === undefined) this.lines.show(progress);
    else {
      const rate = grouped(Math.round(records / this.bar.seconds));
      this.bar.show('all', bytes_taken, bytes_total, { records: grouped(records), rate });
    }
  }

  print(line: string): void {
    this.bar.print(line);
  }

  end(): void {
    this.bar.end();
  }
}

class ProgressLines implements ShownProgress {
  private shown_percent = 0;
  private shown_records = 0;

  show({ bytes_taken, bytes_total, records }: ImportProgress): void {
    if (bytes_total === undefined) {
      if (records < this.shown_records + SHOW_EVERY_RECORDS) return;
      this.shown_records = records;
      printNotice(`${grouped(records)} records read`);
      return;
    }
    const percent = Math.floor((bytes_taken * 100) / Math.max(bytes_total, 1));
    if (percent < this.shown_percent + SHOW_EVERY_PERCENT) return;
    this.shown_percent = percent - (percent % SHOW_EVERY_PERCENT);
    printNotice(`${this.shown_percent} % read, ${grouped(records)} records`);
  }

  print(line: string): void {
    printNotice(line);
  }

  end(): void {}
}
