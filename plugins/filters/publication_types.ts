import {
  anyOf,
  defineFilter,
  listOf,
  normalisePublicationType,
  postingsOf,
  Type,
  valuesNamed,
} from 'feedloom/plugin';

/** Keeps items of the given types. Plural names (`images`) are accepted. Spec 1.1, 2.3. */
export default defineFilter({
  summary: 'Only content of the given types, for example image, video, nft, music.',
  depends_on: 'content',
  kind: 'inclusion',
  options: listOf(
    Type.String({ minLength: 1, maxLength: 64, description: 'a publication type of 1 to 64 characters' }),
    'publication types',
    ['image', 'video'],
  ),
  compile: (types) => anyOf('publication_type', types.map(normalisePublicationType)),
  postings: (types) => postingsOf('publication_type', types.map(normalisePublicationType)),
  named_values: (types) => valuesNamed('publication_type', types, (type) => [normalisePublicationType(type)]),
});
