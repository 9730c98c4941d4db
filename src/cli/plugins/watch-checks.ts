import { printNotice } from '../output.ts';
import { Watchdog } from '../watchdog.ts';

const STDOUT = 1;

/** Ends this process when a check or a test of a plugin does not return, and prints which call that is. */
export function watchChecks(seconds: number, exit_code: number): Watchdog {
  return new Watchdog({
    seconds,
    exit_code,
    report: { descriptor: STDOUT, form: 'check' },
    onFailure: (reason) => printNotice(`feedloom: endless loops are not noticed: ${reason}`),
  });
}
