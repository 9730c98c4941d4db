/** A primary subtag of ISO 639 and any further subtags; whether the registry has them is not looked up. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,8}$/;

/** Primary subtags that stand for the language of another one. */
const SAME_AS: ReadonlyMap<string, string> = new Map([
  // Replaced in the registry of the IANA.
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
  ['jw', 'jv'],
  ['mo', 'ro'],
  // Tagalog, of which Filipino is the standard form.
  ['tl', 'fil'],
  // Forms and parts of languages that most texts are only tagged with as a whole.
  ['nb', 'no'],
  ['nn', 'no'],
  ['cmn', 'zh'],
  ['yue', 'zh'],
  // Detectors do not tell Malay from Indonesian.
  ['ms', 'id'],
]);

/** Subtags of several languages, with those of each. */
const SEVERAL: ReadonlyMap<string, readonly string[]> = new Map([['sh', ['sr', 'hr', 'bs']]]);

/** A language tag of BCP 47 in lower case: `en`, `pt-br`, `zh-hant-tw`. */
export function normaliseLanguage(tag: string): string | undefined {
  const lower = tag.toLowerCase();
  return LANGUAGE_TAG.test(lower) ? lower : undefined;
}

/**
 * The language of a tag in normal form, under which its items are grouped: the primary subtag (`pt` of `pt-br`), or
 * the one that stands for the same language (`he` of `iw`, `no` of `nb`, `id` of `ms`).
 */
export function primaryLanguage(tag: string): string {
  const [subtag] = tag.split('-', 1);
  return SAME_AS.get(subtag) ?? subtag;
}

/** The languages that a tag in normal form asks for: its own, and for `sh` also `sr`, `hr` and `bs`. */
export function languagesOf(tag: string): string[] {
  const language = primaryLanguage(tag);
  return [language, ...(SEVERAL.get(language) ?? [])];
}

/** Other primary subtags that ask for a language, too, when they stand in a filter. */
export function otherNamesOf(subtag: string): string[] {
  const language = primaryLanguage(subtag);
  const same = [language, ...SAME_AS.keys()].filter((name) => primaryLanguage(name) === language);
  const wider = [...SEVERAL].filter(([, languages]) => languages.includes(language)).map(([name]) => name);
  return [...same, ...wider].filter((name) => name !== subtag).toSorted();
}
