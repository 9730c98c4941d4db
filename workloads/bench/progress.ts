import { SingleBar } from 'cli-progress';

/** Tells on standard error what is going on: a bar on a terminal, a line a step elsewhere. */
export class Progress {
  private bar: SingleBar | undefined;

  /** @param total of the units that `advance` counts */
  begin(step: string, total: number): void {
    this.end();
    if (!process.stderr.isTTY) {
      console.error(`${step} …`);
      return;
    }
    this.bar = new SingleBar({
      format: '{bar} {percentage}% {step}',
      stream: process.stderr,
      hideCursor: true,
    });
    this.bar.start(total, 0, { step });
  }

  advance(count = 1): void {
    this.bar?.increment(count);
  }

  /** A line for the reader; the step has ended. */
  tell(line: string): void {
    this.end();
    console.error(line);
  }

  /** The step has ended. */
  end(): void {
    this.bar?.stop();
    this.bar = undefined;
  }
}
