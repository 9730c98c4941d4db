import { DEPENDS_ON } from '../plugin/depends-on.ts';
import { parseRead, READ_FORMS } from '../plugin/reads.ts';
import { textOf } from '../plugin/text-of.ts';

/** The fault of a member's value, as the text after the id of its extension; undefined if the value is valid. */
export type MemberCheck = (value: unknown, name: string) => string | undefined;

/** @param rule what the value must be, in words */
export function optional(rule: string, holds: (value: unknown) => boolean): MemberCheck {
  return (value, name) => (value === undefined || holds(value) ? undefined : `.${name} ${rule}`);
}

export function oneOf(allowed: readonly string[]): MemberCheck {
  return (value, name) =>
    allowed.includes(textOf(value)) ? undefined : `.${name} must be ${allowed.join(' or ')}`;
}

/** The function that every extension of a kind has. */
export const COMPILE: MemberCheck = (value, name) =>
  typeof value === 'function' ? undefined : ` has no ${name} function`;

export const FUNCTION = optional('must be a function', (value) => typeof value === 'function');

export const SECONDS = optional(
  'must be a number above 0',
  (value) => typeof value === 'number' && value > 0,
);

export const DEPENDS_ON_INPUTS = optional(`must be ${DEPENDS_ON.join(' or ')}`, (value) =>
  DEPENDS_ON.some((inputs) => inputs === value),
);

export const READS: MemberCheck = (reads, name) => {
  if (reads === undefined) return undefined;
  if (!Array.isArray(reads)) return `.${name} must be a list of ${READ_FORMS}`;
  const wrong = reads.findIndex((read) => parseRead(read) === undefined);
  return wrong < 0 ? undefined : `.${name} has '${textOf(reads[wrong])}'; it may have ${READ_FORMS}`;
};

/** What an object has besides some members, since a misspelt one would be ignored; undefined if nothing. */
export function unknownMember(owner: object, members: readonly string[]): string | undefined {
  const unknown = Object.keys(owner).find((member) => !members.includes(member));
  return unknown === undefined
    ? undefined
    : `has '${unknown}', which is unknown; allowed are ${members.join(', ')}`;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
