import {
  anyOf,
  defineFilter,
  idText,
  listOf,
  postingsOf,
  readEach,
  Type,
  valuesNamed,
} from 'feedloom/plugin';

/** Keeps items that were posted with one of the listed apps or clients. Spec 1.1 (source), 2.3. */
export default defineFilter({
  summary: 'Only content from the given apps or clients.',
  depends_on: 'content',
  kind: 'inclusion',
  options: listOf(
    Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Integer()], {
      description: 'an app identifier of 1 to 256 characters, or an integer up to 2^53-1',
    }),
    'app identifiers, as text or integers',
    ['9152', 309857],
  ),
  compile: (apps) => anyOf('app', readEach(apps, idText)),
  postings: (apps) => postingsOf('app', readEach(apps, idText)),
  named_values: (apps) => valuesNamed('app', apps),
});
