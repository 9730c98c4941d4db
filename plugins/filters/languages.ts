import {
  anyOf,
  defineFilter,
  InvalidOptions,
  normaliseLanguage,
  postingsOf,
  primaryLanguage,
  readEach,
  Type,
} from 'feedloom/plugin';

/** Only items in the given languages, compared by primary subtag: `en` matches `en-GB`. Spec 1.1. */
export default defineFilter({
  summary: 'Only content in the given languages.',
  depends_on: () => 'content',
  kind: 'inclusion',
  options: Type.Array(Type.String({ description: 'a language tag such as en or pt-BR' }), {
    description: 'a list of language tags such as en or pt-BR',
    examples: [['en', 'pt-BR']],
  }),
  compile: (tags) => anyOf('language', readEach(tags, primary)),
  postings: (tags) => postingsOf('language', readEach(tags, primary)),
});

function primary(tag: string): string {
  const normal = normaliseLanguage(tag);
  if (normal === undefined) throw new InvalidOptions(`'${tag}' is not a language tag such as en or pt-BR`);
  return primaryLanguage(normal);
}
