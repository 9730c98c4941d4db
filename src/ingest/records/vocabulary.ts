/** Checks of the values that feeds are filtered by: language, publication type, place. */
import { normaliseLanguage, normalisePublicationType, parsePlace } from '../../plugin/index.ts';
import { NAME_LENGTH_MAX, opaque } from './checks.ts';
import { expected, Refusal } from './refusal.ts';

/** A language tag in the form of BCP 47, in lower case: `en`, `pt-br`, `zh-hant-tw`. */
export function language(value: unknown): string | Refusal {
  const tag = typeof value === 'string' ? normaliseLanguage(value) : undefined;
  return tag ?? expected('a language tag such as en or pt-BR', value);
}

const typeName = opaque(NAME_LENGTH_MAX);

/** A publication type in lower case and in the singular. */
export function publicationType(value: unknown): string | Refusal {
  const name = typeName(value);
  return name instanceof Refusal ? name : normalisePublicationType(name);
}

/** `<latitude>,<longitude>` in degrees, digits as given, without spaces. */
export function geoLocation(value: unknown): string | Refusal {
  const place = typeof value === 'string' ? parsePlace(value) : undefined;
  return place?.text ?? expected('"<latitude>,<longitude>" in decimal degrees, within ±90 and ±180', value);
}
