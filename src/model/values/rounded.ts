/** Numbers that lost digits when their JSON was parsed. */
import { lostDigits } from '../../plugin/json-digits.ts';
import { pointerStep, Reduced, WARNINGS_MAX } from './refusal.ts';

/** The checked value, with warnings about the numbers within the given one that lost digits. */
export function withRounded<T>(checked: T, given: unknown): T | Reduced<T> {
  const warnings = roundedIn(given, '');
  return warnings.length > 0 ? new Reduced(checked, warnings) : checked;
}

/** Warnings about the numbers within a parsed value that lost digits, at most `WARNINGS_MAX`. @param path of the value */
export function roundedIn(given: unknown, path: string): string[] {
  const warnings: string[] = [];
  addRounded(given, path, warnings);
  return warnings;
}

function addRounded(value: unknown, path: string, warnings: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, source] of lostDigits(value)) {
    if (warnings.length === WARNINGS_MAX) return;
    const at = path + pointerStep(name);
    warnings.push(`the number ${at} was rounded, so send it as a string; got ${source}`);
  }
  for (const [name, inner] of Object.entries(value)) addRounded(inner, path + pointerStep(name), warnings);
}
