import {
  AuthorForms,
  authorsDependOn,
  authorsNamed,
  defineFilter,
  parseAuthors,
  postingsOfAuthors,
} from 'feedloom/plugin';

/** Keeps items of listed authors, of users that the viewer or a given user follows, or of a list. Spec 1.1.1. */
export default defineFilter({
  summary:
    'Only content from the given authors, from the users that a given user follows, or from a list of users.',
  kind: 'inclusion',
  options: AuthorForms,
  depends_on: authorsDependOn,
  named_values: authorsNamed,
  compile(options) {
    const authors = parseAuthors(options);
    if (authors === undefined) return () => () => true;
    return (request) => {
      const wanted = authors(request);
      return (item) => wanted.has(request.item.author(item));
    };
  },
  postings(options) {
    const authors = parseAuthors(options);
    return authors && ((request) => postingsOfAuthors(authors(request)));
  },
});
