import { expect } from 'bun:test';
import type { Finding } from '../../src/doctor/finding.ts';
import { type Ran, run, runBy } from './run.ts';

export interface Diagnosis {
  code: number;
  ok: boolean;
  findings: Finding[];
}

/** Reads what `feedloom doctor --json` or `feedloom verify --json` printed. */
export function diagnosisOf({ code, stdout }: Ran): Diagnosis {
  const { ok, findings }: { ok: boolean; findings: Finding[] } = JSON.parse(stdout);
  expect(ok).toBe(code === 0);
  for (const { level, remedy } of findings)
    expect(remedy === undefined || remedy === '').toBe(level === 'ok');
  return { code, ok, findings };
}

/** `feedloom doctor --json` on a data folder. */
export async function doctor(data: string, ...flags: string[]): Promise<Diagnosis> {
  return diagnosisOf(await run('doctor', '--json', '--data', data, ...flags));
}

/** The same, started by another command. */
export async function doctorBy(by: readonly string[], data: string): Promise<Diagnosis> {
  return diagnosisOf(await runBy(by, 'doctor', '--json', '--data', data));
}

/** The findings of a subject as `level message`. */
export function about({ findings }: Diagnosis, subject: string): string[] {
  return findings
    .filter((each) => each.subject === subject)
    .map(({ level, message }) => `${level} ${message}`);
}

/** Creates data without a service. */
export async function createData(data: string, ...flags: string[]): Promise<void> {
  const { code } = await run('keys', 'create', '--account', 'app', '--data', data, ...flags);
  expect(code).toBe(0);
}
