import { AuthorForms, authorsDependOn, authorsNamed, defineFilter, parseAuthors } from 'feedloom/plugin';

/** Keeps items of listed authors, of users the viewer follows, or of users a given user follows. Spec 1.1.1. */
export default defineFilter({
  summary: 'Only content from the given authors, or from the users that a given user follows.',
  kind: 'inclusion',
  options: AuthorForms,
  depends_on: authorsDependOn,
  named_values: authorsNamed,
  compile(options) {
    const authors = parseAuthors(options);
    if (authors === undefined) return () => () => true;
    return (request) => {
      const wanted = new Set(authors(request));
      return (item) => wanted.has(request.item.author(item));
    };
  },
  postings(options) {
    const authors = parseAuthors(options);
    return authors && ((request) => ({ column: 'author', values: authors(request) }));
  },
});
