import { type Fault, invalidValue } from '../errors.ts';
import { warningsFor } from '../feeds/check-parameters.ts';
import { LIMITS } from '../limits.ts';
import { flag, identifier, oneOf, opaque } from '../model/values/checks.ts';
import { type Check, expected, Refusal, refuse } from '../model/values/refusal.ts';
import { EXCLUDED_MAX, TOP_K_DEFAULT, TOP_K_MAX } from '../people/bounds.ts';
import type { PageRequest } from '../people/people.ts';
import { asObject } from './feed-request.ts';

export const CONSISTENCIES = ['strong', 'eventual'] as const;

export interface ParsedPeopleRequest {
  /** Undefined if only a wallet is given. */
  user_id?: string;
  wallet_address?: string;
  page: PageRequest;
  warnings: string[];
}

interface Fields {
  user_id: string;
  wallet_address: string;
  top_k: number;
  exclude_user_ids: string[];
  cursor: string;
  seed: number;
  return_metadata: boolean;
  explain: boolean;
  consistency: (typeof CONSISTENCIES)[number];
  request_id: string;
}

const integer = (min: number, max: number): Check<number> => {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value
      : expected(`an integer from ${min} to ${max}`, value);
};

const identifiers: Check<string[]> = (value) => {
  if (!Array.isArray(value)) return expected('a list of identifiers', value);
  if (value.length > EXCLUDED_MAX) return refuse(`expected at most ${EXCLUDED_MAX} identifiers`);
  const found: string[] = [];
  for (const [at, entry] of value.entries()) {
    const id = identifier(entry);
    if (id instanceof Refusal) return refuse(id.faults[0].message, `/${at}`);
    found.push(id);
  }
  return found;
};

const CHECKS: { [Name in keyof Fields]: Check<Fields[Name]> } = {
  user_id: identifier,
  wallet_address: opaque(LIMITS.id_length_max),
  top_k: integer(1, TOP_K_MAX),
  exclude_user_ids: identifiers,
  cursor: opaque(LIMITS.cursor_length_max),
  seed: integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  return_metadata: flag,
  explain: flag,
  consistency: oneOf(CONSISTENCIES),
  request_id: opaque(LIMITS.request_id_length_max),
};
/** Empty texts that count as absent, as in feed requests. */
const MAY_BE_EMPTY = new Set(['cursor', 'request_id', 'wallet_address']);

/** @param body JSON value of the body; null for an empty one */
export function parsePeopleRequest(body: unknown): ParsedPeopleRequest {
  const given: Record<string, unknown> = {};
  const faults: Fault[] = [];
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(asObject(body ?? {}))) {
    if (!Object.hasOwn(CHECKS, name)) {
      unknown.push(name);
      continue;
    }
    if (value === null || (value === '' && MAY_BE_EMPTY.has(name))) continue;
    const checked = CHECKS[name as keyof Fields](value);
    if (!(checked instanceof Refusal)) given[name] = checked;
    else faults.push(...checked.faults.map(({ path, message }) => ({ path: `/${name}${path}`, message })));
  }
  const { user_id, wallet_address, request_id: _, ...page } = given as Partial<Fields>;
  const viewer_faulty = faults.some(({ path }) => path === '/user_id' || path === '/wallet_address');
  if (user_id === undefined && wallet_address === undefined && !viewer_faulty)
    faults.push({ path: '/user_id', message: 'is required (or wallet_address)' });
  if (faults.length > 0) throw invalidValue(faults);
  const defaults = { top_k: TOP_K_DEFAULT, exclude_user_ids: [], return_metadata: false, explain: false };
  return {
    user_id,
    wallet_address,
    page: { ...defaults, ...page },
    warnings: warningsFor(unknown, '', 'ignored'),
  };
}
