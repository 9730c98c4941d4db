import type { Finding } from '../doctor/finding.ts';
import { printable } from '../printable.ts';
import { print } from './output.ts';

/** The command has done its work, and its result is a failure that it has printed. */
export class FoundFailure extends Error {}

/**
 * Prints findings, a line each or as one JSON object.
 * @throws FoundFailure if a finding is `fail`
 */
export function printFindings(findings: readonly Finding[], json: boolean): void {
  const has_failed = findings.some(({ level }) => level === 'fail');
  print(json ? JSON.stringify({ ok: !has_failed, findings }, null, 2) : findings.map(lineOf).join('\n'));
  if (has_failed) throw new FoundFailure();
}

function lineOf({ level, subject, message, remedy }: Finding): string {
  const found = `${level.padEnd(4)}  ${subject}: ${message}`;
  return printable(remedy === undefined ? found : `${found}  → ${remedy}`);
}
