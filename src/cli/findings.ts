import type { Finding } from '../doctor/finding.ts';
import { printable } from '../printable.ts';
import { Printed, print } from './output.ts';

/**
 * Prints findings, a line each or as one JSON object.
 * @throws Printed if a finding is `fail`
 */
export function printFindings(findings: readonly Finding[], json: boolean): void {
  const has_failed = findings.some(({ level }) => level === 'fail');
  print(json ? JSON.stringify({ ok: !has_failed, findings }, null, 2) : findings.map(lineOf).join('\n'));
  if (has_failed) throw new Printed(1);
}

function lineOf({ level, subject, message, remedy }: Finding): string {
  const found = `${level.padEnd(4)}  ${subject}: ${message}`;
  return printable(remedy === undefined ? found : `${found}  → ${remedy}`);
}
