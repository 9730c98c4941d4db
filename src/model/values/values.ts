/** The types of values that come from outside: how each is checked, and its JSON Schema, which cannot express every check. */

import { type TSchema, Type } from '@sinclair/typebox';
import type { Fault } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { grouped } from '../../plugin/list-of.ts';
import { aiLabels } from './ai-labels.ts';
import {
  anyText,
  CHANNEL_LENGTH_MAX,
  clearable,
  count,
  cutText,
  DISPLAY_NAME_LENGTH_MAX,
  flag,
  freeText,
  identifier,
  LINK_LENGTH_MAX,
  limitedList,
  listOf,
  numberWithin,
  oneOf,
  opaque,
  setOf,
  TITLE_LENGTH_MAX,
  walletAddress,
} from './checks.ts';
import { domain } from './domain.ts';
import { embedding } from './embedding.ts';
import { droppedUnless } from './kept-without.ts';
import { link } from './link.ts';
import { metadata } from './metadata.ts';
import { type FieldCheck, Refusal, whole } from './refusal.ts';
import * as part from './schema-parts.ts';
import { seconds } from './time.ts';
import { geoLocation, language, publicationType, tag } from './vocabulary.ts';

export interface ValueType<T> {
  schema: TSchema;
  check: FieldCheck<T>;
  /** What is done with values that cannot be kept. Ends the description of a field. */
  note?: string;
}

function value<T>(schema: TSchema, check: FieldCheck<T>, note?: string): ValueType<T> {
  return { schema, check, note };
}

const FIRST_KEPT = `The first ${grouped(LIMITS.list_length_max)} are kept.`;
const LINKS = `Links longer than ${grouped(LINK_LENGTH_MAX)} characters, and links that are not http(s) URLs, are dropped with a warning.`;
const DROPPED = 'An unusable value is dropped with a warning.';
const ENTRIES_DROPPED = `Unusable entries are dropped with a warning. ${FIRST_KEPT}`;

function cutAfter(characters: number): string {
  return `Characters after the first ${grouped(characters)} are dropped with a warning.`;
}

const texts = part.listOf(part.AnyText);
const identifiers = part.listOf(part.Identifier);

export const Identifier = value(part.Identifier, identifier);
/** As `Identifier`; an empty string removes a stored one. */
export const ClearableIdentifier = value(part.ClearableIdentifier, clearable(identifier));
/** seconds */
export const Time = value(part.Time, seconds);
export const Count = value(part.Count, count);
/** A count of another service. */
export const SourceCount = value(part.Count, droppedUnless('number', count), DROPPED);
export const Flag = value(part.Flag, flag);
export const AnyText = value(part.AnyText, anyText);
export const ItemText = value(
  part.AnyText,
  cutText(LIMITS.text_length_max),
  cutAfter(LIMITS.text_length_max),
);
export const DisplayName = value(
  part.textUpTo(DISPLAY_NAME_LENGTH_MAX),
  clearable(cutText(DISPLAY_NAME_LENGTH_MAX)),
  cutAfter(DISPLAY_NAME_LENGTH_MAX),
);
export const Channel = value(part.Channel, clearable(opaque(CHANNEL_LENGTH_MAX)));
export const Link = value(part.AnyText, clearable(link), LINKS);
export const Links = value(texts, listOf(link), `${LINKS} ${FIRST_KEPT}`);
export const Domains = value(texts, setOf(domain), ENTRIES_DROPPED);
export const Language = value(part.Language, clearable(droppedUnless('string', language)), DROPPED);
export const PublicationTypes = value(
  part.listOf(part.TypeName),
  setOf(droppedUnless('string', publicationType, 'an entry was dropped')),
  ENTRIES_DROPPED,
);
/** `<latitude>,<longitude>` */
export const GeoLocation = value(part.GeoLocation, clearable(droppedUnless('string', geoLocation)), DROPPED);
/** Label → score */
export const AiLabels = value(
  part.AiLabels,
  aiLabels,
  'Scores outside are moved there, and unusable labels dropped, with a warning.',
);
export const Tags = value(
  texts,
  setOf(droppedUnless('string', tag, 'an entry was dropped')),
  ENTRIES_DROPPED,
);
/** Short texts for readers */
export const Titles = value(
  texts,
  listOf(cutText(TITLE_LENGTH_MAX)),
  `${cutAfter(TITLE_LENGTH_MAX)} ${FIRST_KEPT}`,
);
export const Profiles = value(identifiers, listOf(identifier), FIRST_KEPT);
/** Lower case */
export const Wallets = value(part.listOf(part.Text), setOf(walletAddress), FIRST_KEPT);
/** Base64 of 8-bit integers */
export const Embedding = value(part.Embedding, clearable(embedding));
export const Metadata = value(part.Metadata, metadata);

/** A text that is only compared. */
export function text(length_max: number = LIMITS.id_length_max): ValueType<string> {
  return value(part.opaque(length_max), opaque(length_max));
}

/** A text for readers, which may be empty. */
export function textUpTo(length_max: number): ValueType<string> {
  return value(part.textUpTo(length_max), freeText(length_max));
}

/** As `text`; an empty one counts as none. */
export function clearableText(length_max: number): ValueType<string | undefined> {
  return value(part.opaque(length_max, 0), clearable(opaque(length_max)));
}

export function integer(min: number, max: number, shown: { default?: number } = {}): ValueType<number> {
  const schema = Type.Integer({ minimum: min, maximum: max, ...shown });
  return value(schema, numberWithin(min, max, 'an integer'));
}

export function number(min: number, max: number): ValueType<number> {
  return value(Type.Number({ minimum: min, maximum: max }), numberWithin(min, max, 'a number'));
}

/** A list whose entries after the first 1,000 are dropped with a warning. */
export function cutList<T>(entry: ValueType<T>): ValueType<T[]> {
  return value(part.listOf(entry.schema), listOf(entry.check), FIRST_KEPT);
}

/** A list with a valid number of valid entries. @param entries what faults call them */
export function list<T>(entry: ValueType<T>, min: number, max: number, entries: string): ValueType<T[]> {
  const limits = min > 0 ? { minItems: min, maxItems: max } : { maxItems: max };
  return value(Type.Array(entry.schema, limits), limitedList(entry.check, min, max, entries));
}

/** A type whose values also follow a rule. @param faultsOf the faults of a value of the right form */
export function ruled<T>({ schema, check }: ValueType<T>, faultsOf: (given: T) => Fault[]): ValueType<T> {
  return value(schema, (given, options) => {
    const checked = check(given, options);
    const kept = whole(checked);
    const faults = kept instanceof Refusal ? [] : faultsOf(kept);
    return faults.length > 0 ? new Refusal(faults) : checked;
  });
}

export function word<const T extends string>(words: readonly T[]): ValueType<T> {
  return value(part.wordOf(words), oneOf(words));
}
