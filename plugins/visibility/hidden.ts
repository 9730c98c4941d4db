import { defineVisibilityRule, Type } from 'feedloom/plugin';

const SECONDS_PER_DAY = 86_400;

/**
 * Items the viewer hid or reported are not shown, whatever other switches say; several of one author
 * within some days keep that author away.
 */
export default defineVisibilityRule({
  summary: 'Drops items that the viewer hid or reported, and authors of whom they hid several.',
  options: Type.Object(
    {
      author_items: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 3 }),
      author_days: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 30 }),
    },
    { additionalProperties: false },
  ),
  compile: (options) => (request) => {
    const since = request.now - options.author_days * SECONDS_PER_DAY;
    return (item) =>
      !request.has_hidden(item) &&
      !request.has_hidden_author(request.author(item), options.author_items, since);
  },
});
