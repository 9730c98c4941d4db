import { SingleBar } from 'cli-progress';

/** Shows progress on standard error: a bar on a terminal, otherwise one line per step. */
export class Progress {
  private bar: SingleBar | undefined;

  /** @param total the total of the units of `advance` */
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

  /** Ends the step and prints a line. */
  print(line: string): void {
    this.end();
    console.error(line);
  }

  /** Ends the step. */
  end(): void {
    this.bar?.stop();
    this.bar = undefined;
  }
}
