/** Checks of the values that filters use: language, publication type, place. */
import { normaliseLanguage } from '../../plugin/languages.ts';
import { normalisePublicationType, parsePlace } from '../../plugin/values.ts';
import { tagOf } from '../../plugin/words.ts';
import { NAME_LENGTH_MAX, opaque } from './checks.ts';
import { expected, Reduced, Refusal, warningAbout } from './refusal.ts';

/**
 * Checks a BCP 47 language tag. Returns it in lower case: `en`, `pt-br`, `zh-hant-tw`. Other forms whose meaning is clear are
 * read with a warning.
 */
export function language(value: unknown): string | Reduced<string> | Refusal {
  const tag = typeof value === 'string' ? normaliseLanguage(value) : undefined;
  if (tag !== undefined) return tag;
  const read = typeof value === 'string' ? otherForm(value) : undefined;
  if (read === undefined) return expected('a language tag such as en or pt-BR', value);
  return new Reduced(read, [warningAbout(`was read as ${read}`, value)]);
}

/** Reads `en_US`, `de_DE.UTF-8` and `zhHk`, as locales of other software are written. */
function otherForm(text: string): string | undefined {
  const tag = text
    .trim()
    .replace(/[.@].*$/, '')
    .replaceAll('_', '-');
  return normaliseLanguage(tag.replace(/^([a-z]{2,3})([A-Z][A-Za-z])$/, '$1-$2'));
}

const name = opaque(NAME_LENGTH_MAX);

/** Checks a publication type. Returns it in lower case and in the singular. */
export function publicationType(value: unknown): string | Refusal {
  const checked = name(value);
  return checked instanceof Refusal ? checked : normalisePublicationType(checked);
}

/** Checks `<latitude>,<longitude>` in degrees. Keeps the digits as given, without spaces. */
export function geoLocation(value: unknown): string | Refusal {
  const place = typeof value === 'string' ? parsePlace(value) : undefined;
  return place?.text ?? expected('"<latitude>,<longitude>" in decimal degrees, within ±90 and ±180', value);
}

/** Checks a hashtag. Returns its name without `#`. */
export function tag(value: unknown): string | Refusal {
  const checked = name(typeof value === 'string' ? value.replace(/^[\s#＃﹟]+/, '').trimEnd() : value);
  if (checked instanceof Refusal || tagOf(checked) !== undefined) return checked;
  return expected('a hashtag with a letter or digit', value);
}
