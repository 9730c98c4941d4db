import {
  anyOf,
  defineFilter,
  InvalidOptions,
  languagesOf,
  listOf,
  normaliseLanguage,
  postingsOf,
  readEach,
  Type,
  valuesNamed,
} from 'feedloom/plugin';

const FORM = 'a language tag such as en or pt-BR';

/**
 * Keeps items in the given languages. Spec 1.1.
 *
 * Languages are compared by primary subtag: `en` matches `en-GB`. Subtags of the same language match each other (`iw`
 * and `he`).
 */
export default defineFilter({
  summary: 'Only content in the given languages.',
  depends_on: 'content',
  kind: 'inclusion',
  options: listOf(Type.String({ description: FORM }), 'language tags such as en or pt-BR', ['en', 'pt-BR']),
  compile: (tags) => anyOf('language', readEach(tags, languages).flat()),
  postings: (tags) => postingsOf('language', readEach(tags, languages).flat()),
  named_values: (tags) => valuesNamed('language', tags, languages),
});

/** Returns the codes of the languages that match a tag. Throws InvalidOptions if the tag is malformed. */
function languages(tag: string): string[] {
  const normal = normaliseLanguage(tag);
  if (normal === undefined) throw new InvalidOptions(`'${tag.slice(0, 64)}' is not ${FORM}`);
  return languagesOf(normal);
}
