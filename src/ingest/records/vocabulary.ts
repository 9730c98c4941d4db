/** Checks of the values that feeds are filtered by: language, publication type, place. */
import { NAME_LENGTH_MAX, opaque } from './checks.ts';
import { expected, Refusal } from './refusal.ts';

/** A primary subtag of ISO 639 and any further subtags; the registry itself is not consulted. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,8}$/;

/** A language tag in the form of BCP 47, in lower case: `en`, `pt-br`, `zh-hant-tw`. */
export function language(value: unknown): string | Refusal {
  const form = 'a language tag such as en or pt-BR';
  if (typeof value !== 'string') return expected(form, value);
  const tag = value.toLowerCase();
  return LANGUAGE_TAG.test(tag) ? tag : expected(form, value);
}

/**
 * Plurals that stand for a publication type; every other name is kept, in lower case. `music` and `news` are
 * names of their own, so a final `s` alone decides nothing.
 */
export const PUBLICATION_TYPE_PLURALS: ReadonlyMap<string, string> = new Map([
  ['articles', 'article'],
  ['audios', 'audio'],
  ['documents', 'document'],
  ['embeds', 'embed'],
  ['events', 'event'],
  ['frames', 'frame'],
  ['gifs', 'gif'],
  ['images', 'image'],
  ['links', 'link'],
  ['livestreams', 'livestream'],
  ['nfts', 'nft'],
  ['photos', 'photo'],
  ['podcasts', 'podcast'],
  ['polls', 'poll'],
  ['quotes', 'quote'],
  ['spaces', 'space'],
  ['texts', 'text'],
  ['threads', 'thread'],
  ['tokens', 'token'],
  ['videos', 'video'],
]);

const typeName = opaque(NAME_LENGTH_MAX);

/** A publication type in lower case and in the singular. */
export function publicationType(value: unknown): string | Refusal {
  const name = typeName(value);
  if (name instanceof Refusal) return name;
  const lower = name.toLowerCase();
  return PUBLICATION_TYPE_PLURALS.get(lower) ?? lower;
}

const PLACE = /^\s*(-?\d{1,3}(?:\.\d{1,20})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,20})?)\s*$/;

/** `<latitude>,<longitude>` in degrees, digits as given, without spaces. */
export function geoLocation(value: unknown): string | Refusal {
  const form = '"<latitude>,<longitude>" in decimal degrees, within ±90 and ±180';
  const parts = typeof value === 'string' ? PLACE.exec(value) : null;
  if (parts === null) return expected(form, value);
  const [, latitude, longitude] = parts;
  if (Math.abs(Number(latitude)) > 90 || Math.abs(Number(longitude)) > 180) return expected(form, value);
  return `${latitude},${longitude}`;
}
