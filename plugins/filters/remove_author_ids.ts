import { AuthorForms, authorsDependOn, authorsNamed, defineFilter, parseAuthors } from 'feedloom/plugin';

/** Drops items of certain authors, in the forms of `author_ids`. Items of unknown author pass. Spec 1.1.1. */
export default defineFilter({
  summary: 'Drops content from the given authors, or from those that somebody follows.',
  kind: 'exclusion',
  options: AuthorForms,
  depends_on: authorsDependOn,
  named_values: authorsNamed,
  compile(options) {
    const authors = parseAuthors(options);
    if (authors === undefined) return () => () => true;
    return (request) => {
      const unwanted = new Set(authors(request));
      return (item) => !unwanted.has(request.author(item));
    };
  },
});
