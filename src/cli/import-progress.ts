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

class ProgressBar implements ShownProgress {
  private readonly start_ms = machineMs();
  private readonly lines = new ProgressLines();
  private total = 0;
  private readonly bar = new SingleBar({
    format: '{bar} {percentage} % | {records} records | {rate}/s',
    hideCursor: true,
    clearOnComplete: true,
  });

  show(progress: ImportProgress): void {
    const { bytes_taken, bytes_total, records } = progress;
    if (bytes_total === undefined) {
      this.lines.show(progress);
      return;
    }
    const seconds = (machineMs() - this.start_ms) / 1000;
    const shown = { records: grouped(records), rate: grouped(Math.round(records / seconds)) };
    if (this.total === 0) {
      this.total = bytes_total;
      this.bar.start(bytes_total, bytes_taken, shown);
    } else this.bar.update(bytes_taken, shown);
  }

  print(line: string): void {
    if (this.total > 0) process.stderr.write('\r\u001b[K');
    printNotice(line);
  }

  end(): void {
    if (this.total > 0) this.bar.stop();
    this.total = 0;
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
