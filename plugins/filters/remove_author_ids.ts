import { AuthorForms, authorsDependOn, authorsNamed, defineFilter, parseAuthors } from 'feedloom/plugin';

/** Drops items of certain authors, in the forms of `author_ids`. Keeps items of unknown authors. Spec 1.1.1. */
export default defineFilter({
  summary:
    'Drops content from the given authors, from the users that a given user follows, or from a list of users.',
  kind: 'exclusion',
  options: AuthorForms,
  depends_on: authorsDependOn,
  named_values: authorsNamed,
  compile(options) {
    const authors = parseAuthors(options);
    if (authors === undefined) return () => () => true;
    return (request) => {
      const unwanted = authors(request);
      return (item) => !unwanted.has(request.item.author(item));
    };
  },
});
