/** A primary subtag of ISO 639 with optional further subtags. Registration is not checked. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,8}$/;

/** Primary subtags that are treated as another subtag of the same language. */
const SAME_AS: ReadonlyMap<string, string> = new Map([
  // Deprecated in the IANA registry.
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
  ['jw', 'jv'],
  ['mo', 'ro'],
  // Filipino is the standard form of Tagalog.
  ['tl', 'fil'],
  // Variants that most texts tag with the macrolanguage.
  ['nb', 'no'],
  ['nn', 'no'],
  ['cmn', 'zh'],
  ['yue', 'zh'],
  // Language detectors do not distinguish Malay from Indonesian.
  ['ms', 'id'],
]);

/** Subtags of language groups, with their members. */
const SEVERAL: ReadonlyMap<string, readonly string[]> = new Map([['sh', ['sr', 'hr', 'bs']]]);

/** Converts a BCP 47 tag to lower case: `en`, `pt-br`, `zh-hant-tw`. Undefined if the tag is malformed. */
export function normaliseLanguage(tag: string): string | undefined {
  const lower = tag.toLowerCase();
  return LANGUAGE_TAG.test(lower) ? lower : undefined;
}

/**
 * Returns the language that groups the items of a normalised tag.
 *
 * It is the primary subtag (`pt` for `pt-br`) or its replacement (`he` for `iw`, `no` for `nb`, `id` for `ms`).
 */
export function primaryLanguage(tag: string): string {
  const [subtag] = tag.split('-', 1);
  return SAME_AS.get(subtag) ?? subtag;
}

/** Returns the languages that a normalised tag matches: its own, and for `sh` also `sr`, `hr` and `bs`. */
export function languagesOf(tag: string): string[] {
  const language = primaryLanguage(tag);
  return [language, ...(SEVERAL.get(language) ?? [])];
}

/** Returns other primary subtags that match the same language in a filter. */
export function otherNamesOf(subtag: string): string[] {
  const language = primaryLanguage(subtag);
  const same = [language, ...SAME_AS.keys()].filter((name) => primaryLanguage(name) === language);
  const wider = [...SEVERAL].filter(([, languages]) => languages.includes(language)).map(([name]) => name);
  return [...same, ...wider].filter((name) => name !== subtag).toSorted();
}
